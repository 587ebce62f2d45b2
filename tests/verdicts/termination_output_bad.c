// verdict: FALSE(termination)
// check: --property termination
// What is written cannot go wrong.
#include <stdio.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint(), n = __VERIFIER_nondet_uint();
    while (i != n) {
        i += 2;
        printf("%u of %u %s\n", i, n, "turns");
        putchar('.');
    }
    return 0;
}
