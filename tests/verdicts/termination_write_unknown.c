// A `write` that has something to write does not go on for ever to write nothing, nor to be interrupted.
// check: --property termination
// verdict: UNKNOWN
#include <errno.h>
#include <unistd.h>

int main(void)
{
    const char *p = "some text\n";
    long n = 10;
    while (n > 0) {
        long r = write(1, p, (unsigned long)n);
        if (r < 0 && errno != EINTR)
            return 1;
        if (r > 0) {
            p += r;
            n -= r;
        }
    }
    return 0;
}
