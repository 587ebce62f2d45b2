// verdict: FALSE(valid-deref)
// check: --property valid-memsafety
// A copy of a whole struct brings what the other one holds.
#include <string.h>
extern int __VERIFIER_nondet_int(void);
struct box { int *p; unsigned i; };
static int a[8];
static struct box one = {a, 0}, two = {a, 9}, empty;
int main(void)
{
    if (__VERIFIER_nondet_int())
        memcpy(&one, &two, sizeof one);
    else if (__VERIFIER_nondet_int())
        one = empty;
    return one.p[one.i];
}
