// A `write` that has something to write does not go on for ever to write nothing.
// check: --property termination
// verdict: UNKNOWN(...)
// slow
#include <unistd.h>

int main(void)
{
    static char text[4];
    long n = 4;
    while (n > 0) {
        long r = write(1, text, (unsigned long)n);
        if (r < 0)
            return 1;
        n -= r;
    }
    return 0;
}
