// Whether everything was printed the program can find out: that is another execution.
// check: --property unreach-call
// verdict: UNKNOWN(abstraction: may fail for all that is known)
#include <stdio.h>
extern void reach_error(void);

int main(void)
{
    int failed = 0;
    for (int i = 0; i < 100; i++)
        failed |= printf("%d\n", i) < 0;
    if (failed) // FIXME: it may
        reach_error();
    return 0;
}
