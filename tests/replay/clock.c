// The clock is the one of the scan: both ends are met.
// replay: clock.c:12:19:div-by-zero: confirmed by execution: division by zero at clock.c:12
// replay: clock.c:13:15:div-by-zero: confirmed by execution: division by zero at clock.c:13
// replay: 2 confirmed by execution, 0 not
#include <sys/time.h>
int main(void)
{
    struct timeval t;
    gettimeofday(&t, 0);
    int d = 0;
    if (t.tv_sec < 1000)
        return 10 / d;
    return 20 / d;
}
