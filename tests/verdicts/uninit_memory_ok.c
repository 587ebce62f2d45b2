// verdict: TRUE
// check: --property unreach-call
// Memory that was not written holds anything, and reading it is no failure.
#include <stdlib.h>
extern void reach_error(void);
int main(void)
{
    int a[10], i;
    int *p = malloc(sizeof *p);
    for (i = 0; a[i] != *p; i++)
        if (i >= 9)
            break;
    free(p);
    if (i >= 10)
        reach_error();
    return 0;
}
