// verdict: FALSE(unreach-call)
// check: --property unreach-call
// `%n` stores what was written.
#include <stdio.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    int x = 0;
    if (__VERIFIER_nondet_uint() * 2654435761u != 0x12345677u)
        return 0;
    printf("abc%n", &x);
    if (x == 3)
        reach_error();
    return 0;
}
