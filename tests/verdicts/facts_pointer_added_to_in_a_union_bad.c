// check: --property unreach-call --data-model LP64
// verdict: FALSE(unreach-call)
// A number that is moved within a union is a pointer to another place.
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
int array[4];
int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    union {
        int *pointer;
        uintptr_t number;
    } u;
    u.pointer = array;
    u.number += 4 * (n & 3);
    *u.pointer = 4;
    if (array[2] == 4 && rare())
        reach_error();
    return 0;
}
