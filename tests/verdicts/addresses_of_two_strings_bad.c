// check: --property unreach-call --data-model LP64
// verdict: FALSE(unreach-call)
// Two pointers that nobody knows, each read as a part of a wider number, are not one.
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
char x, y;
int main(void)
{
    union {
        char *pointers[2];
        unsigned __int128 number;
    } u;
    int c = __VERIFIER_nondet_int();
    char *one = getenv("A"), *other = getenv("B");
    u.pointers[1] = 0;
    u.pointers[0] = c ? one : &x;
    unsigned __int128 before = u.number;
    u.pointers[0] = c ? other : &y;
    if (c && before != u.number && rare())
        reach_error();
    return 0;
}
