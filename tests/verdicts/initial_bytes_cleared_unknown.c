// verdict: UNKNOWN(...)
// check: --property unreach-call --timeout 5
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static char a[100] = {1};
// On one way the array is what it was at the start, on the other it is cleared.
int main(void)
{
    unsigned n = 0;
    while (n < 100000)
        n += __VERIFIER_nondet_int() != 0;
    if (__VERIFIER_nondet_int())
        memset(a, 0, 100);
    if (a[0] == 0)
        reach_error();
    return 0;
}
