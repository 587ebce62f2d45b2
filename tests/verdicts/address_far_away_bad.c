// check: --property unreach-call --data-model LP64
// verdict: FALSE(unreach-call)
// Addresses are numbers without a sign, also far from their object.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void reach_error(void);
static int rare(void)
{
    unsigned long a = __VERIFIER_nondet_ulong(), b = __VERIFIER_nondet_ulong();
    return a == 0x123456789abcUL && (a ^ b) == 0xdeadbeefcafeUL;
}
int main(void)
{
    char c;
    uintptr_t a = (uintptr_t)&c;
    unsigned long far = __VERIFIER_nondet_ulong();
    if (far == 1UL << 63 && a + far > a && rare())
        reach_error();
    return 0;
}
