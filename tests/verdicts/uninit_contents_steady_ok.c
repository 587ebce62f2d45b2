// verdict: TRUE
// check: --property unreach-call
// What memory held before it was written does not change by itself, nor by being copied.
#include <string.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    int a[10], b[10];
    unsigned i = __VERIFIER_nondet_uint();
    memcpy(b, a, sizeof a);
    if (i < 10 && (a[i] != a[i] || b[i] != a[i]))
        reach_error();
    return 0;
}
