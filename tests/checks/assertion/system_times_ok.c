// Time that is slept passes, and what is counted does not become less.
#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static long milliseconds(const struct timespec *a, const struct timespec *b)
{
    return (b->tv_sec - a->tv_sec) * 1000 + (b->tv_nsec - a->tv_nsec) / 1000000;
}

static int slept(void)
{
    struct timespec a, b, some = {.tv_nsec = 20000000};
    if (clock_gettime(CLOCK_MONOTONIC, &a) != 0 || nanosleep(&some, NULL) != 0 || clock_gettime(CLOCK_MONOTONIC, &b) != 0)
        return 0;
    return 1000 / (int)(milliseconds(&a, &b) > 1000 ? 1000 : milliseconds(&a, &b));
}

static void waited(void)
{
    struct timespec a, b;
    if (clock_gettime(CLOCK_MONOTONIC, &a) == 0 && poll(NULL, 0, 20) == 0 && clock_gettime(CLOCK_MONOTONIC, &b) == 0)
        assert(milliseconds(&a, &b) > 0);
}

static void used(void)
{
    struct rusage a, b;
    if (getrusage(RUSAGE_SELF, &a) != 0 || getrusage(RUSAGE_SELF, &b) != 0)
        return;
    assert(b.ru_utime.tv_sec >= a.ru_utime.tv_sec);
    assert(b.ru_minflt >= a.ru_minflt);
    assert(b.ru_minflt + b.ru_majflt >= 0);
}

int main(void)
{
    waited();
    used();
    return slept() < 0;
}
