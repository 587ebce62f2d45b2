// verdict: UNKNOWN(an execution ends before, by out-of-bounds-write in line 9)
// check: --property unreach-call
// The error is not reached, but only because the program has gone wrong before.
#include <stdlib.h>
extern void reach_error(void);
int main(void)
{
    int *p = malloc(4);
    p[1] = 1;
    if (p[1] == 1)
        reach_error();
    return 0;
}
