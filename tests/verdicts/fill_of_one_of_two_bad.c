// check: --property unreach-call --data-model LP64
// verdict: FALSE(unreach-call)
// One of the two objects has a size that nobody knows: as many bytes are set as are asked for.
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
    unsigned n = __VERIFIER_nondet_uint(), length = __VERIFIER_nondet_uint();
    int first = __VERIFIER_nondet_int();
    if (n < 20 || n > 30)
        return 0;
    char a[8] = {0}, *b = calloc(n, 1);
    if (length > (first ? 8 : n))
        return 0;
    memset(first ? a : b, 1, length);
    if (!first && length > 9 && b[8] == 1 && rare())
        reach_error();
    return 0;
}
