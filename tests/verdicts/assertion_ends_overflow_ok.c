// verdict: TRUE
// check: --property no-overflow
// An assertion that fails ends the program as C has it: no sum overflows, before or after.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    assert(n < 100);
    return n + 1;
}
