// verdict: UNKNOWN(...)
// check: --property termination
// slow
// The hundred millionth turn writes what a null pointer points to.
#include <stdio.h>

int main(void)
{
    unsigned n = 0;
    const char *p = "x";
    while (1) {
        if (n >= 100000000u)
            p = 0;
        fputs(p, stdout);
        n++;
    }
}
