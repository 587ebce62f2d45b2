// verdict: TRUE
// check: --property unreach-call
// Places inside of two variables differ, and so do the ends of two of them, and the end of one and a place in the other
// that is not its start. Allocated memory has an address of its own, also where it has no bytes.
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int a[2];
int b[2];
int main(void)
{
    unsigned i = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    int *p = &a[i & 1], *q = &b[k & 1];
    if (p == q || p + 1 == q + 1 || a + 2 == b + 1)
        reach_error();
    char *none = malloc(0), *some = malloc(1);
    if (none == some)
        reach_error();
    return 0;
}
