// What the system may well say.
// run: no
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void file(void)
{
    int fd = open("/etc/hosts", O_RDONLY);
    if (fd < 0)
        return;
    off_t to = lseek(fd, 10, SEEK_SET), end = lseek(fd, 0, SEEK_END);
    close(fd);
    assert(to == 10); //~ violated[assertion]
    assert(end < 1000000); //~ violated[assertion]
}

static void closed(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    close(fd);
    if (poll(&p, 1, 0) == 1)
        assert(!(p.revents & POLLNVAL)); //~ violated[assertion]
}

static void parent(void)
{
    pid_t self = getpid(), child = fork();
    if (child == 0)
        assert(getppid() == self); //~ violated[assertion]
    if (child > 0 && waitpid(child, NULL, 0) == child) {
        pid_t next = fork();
        if (next == 0)
            _exit(0);
        assert(next != child); //~ violated[assertion]
    }
}

static void moved(void)
{
    struct rusage a, b;
    if (getrusage(RUSAGE_SELF, &a) == 0 && getrusage(RUSAGE_SELF, &b) == 0)
        assert(a.ru_minflt == b.ru_minflt); //~ violated[assertion]
}

static void slept(void)
{
    struct timespec a, b;
    if (clock_gettime(CLOCK_MONOTONIC, &a) == 0 && sleep(1) == 0 && clock_gettime(CLOCK_MONOTONIC, &b) == 0)
        assert(b.tv_sec - a.tv_sec < 100); //~ violated[assertion]
}

int main(int argc, char **argv)
{
    switch (argc) {
    case 1: file(); break;
    case 2: closed(socket(AF_INET, SOCK_STREAM, 0)); break;
    case 3: parent(); break;
    case 4: moved(); break;
    default: slept(); break;
    }
    return 0;
}
