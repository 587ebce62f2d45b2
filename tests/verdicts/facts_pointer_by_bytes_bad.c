// check: --property unreach-call --data-model LP64
// verdict: FALSE(unreach-call)
// A pointer is written byte by byte and put together again.
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
static int x;
static unsigned char bytes[8];
static void put(uintptr_t v)
{
    for (int i = 0; i < 8; i++)
        bytes[i] = (v >> 8 * i) & 0xff;
}
static uintptr_t get(void)
{
    uintptr_t v = 0;
    for (int i = 0; i < 8; i++)
        v |= (uintptr_t)bytes[i] << 8 * i;
    return v;
}
int main(void)
{
    put((uintptr_t)&x);
    *(int *)get() = 5;
    if (x == 5 && rare())
        reach_error();
    return 0;
}
