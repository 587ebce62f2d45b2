// check: --property unreach-call --data-model LP64
// verdict: TRUE
// A clock gives parts of a second, and one that nobody sets is not negative.
#include <time.h>
extern void reach_error(void);
int main(void)
{
    struct timespec t;
    if (clock_gettime(CLOCK_MONOTONIC, &t) == 0 && (t.tv_sec < 0 || t.tv_nsec < 0 || t.tv_nsec > 999999999))
        reach_error();
    return 0;
}
