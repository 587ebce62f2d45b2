// check: --property unreach-call --data-model LP64
// verdict: FALSE(unreach-call)
// The system calls exit when main returns, and exit the handler.
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
static void last(void)
{
    if (rare())
        reach_error();
}
int main(void)
{
    atexit(last);
    return 0;
}
