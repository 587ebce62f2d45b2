// check: --property unreach-call --data-model LP64
// verdict: FALSE(unreach-call)
// A pointer that is made of an address again points where it did.
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
    int x = 0;
    uintptr_t key = __VERIFIER_nondet_ulong(), garbled = (uintptr_t)&x ^ key;
    *(int *)(garbled ^ key) = 5;
    if (x == 5 && rare())
        reach_error();
    return 0;
}
