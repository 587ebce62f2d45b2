// verdict: TRUE
// check: --property unreach-call --property no-overflow --property valid-memsafety --timeout 60
// No input: what one execution passes holds.
#include <stdlib.h>
extern void reach_error(void);
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(void)
{
    int *p = malloc(20 * sizeof *p);
    for (int i = 0; i < 20; i++)
        p[i] = fib(i);
    if (p[19] != 4181)
        reach_error();
    free(p);
    return 0;
}
