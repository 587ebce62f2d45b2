// check: --property unreach-call --data-model LP64 --timeout 5
// verdict: UNKNOWN(...)
// The linker names the start and the end of a section: what is between is changed through these names.
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
struct item {
    int value;
};
static struct item item __attribute__((section("items"), used)) = {1};
extern struct item __start_items[], __stop_items[];
int main(void)
{
    for (struct item *p = __start_items; p < __stop_items; p++)
        p->value = 7;
    if (item.value == 7 && rare())
        reach_error();
    return 0;
}
