// check: --property termination --data-model LP64
// verdict: FALSE(termination)
// The address of the string is no measure of the offset in the array that follows it.
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
    char a[4], *p = getenv("X");
    if (!rare())
        return 0;
    while (p != 0)
        p = a;
    return 0;
}
