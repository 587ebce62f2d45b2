// verdict: UNKNOWN(shown only for executions in which no sum overflows)
// slow
// check: --property valid-memsafety
// The memory is lost after the loop, which ends by an overflow only: undefined, but not safe.
#include <stdlib.h>
int main(void)
{
    int *p = malloc(sizeof *p);
    for (int i = 1; i; ++i)
        ;
    p = 0;
    return p != 0;
}
