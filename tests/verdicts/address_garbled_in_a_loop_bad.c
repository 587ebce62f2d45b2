// check: --property unreach-call --data-model LP64
// verdict: FALSE(unreach-call)
// The address is handed out in one iteration and written through in the next.
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
    int x = 0, n = __VERIFIER_nondet_int();
    uintptr_t key = __VERIFIER_nondet_ulong(), garbled = 0;
    for (int i = 0; i < n; i++) {
        if (garbled)
            *(int *)(garbled ^ key) = 5;
        garbled = (uintptr_t)&x ^ key;
    }
    if (x == 5 && rare())
        reach_error();
    return 0;
}
