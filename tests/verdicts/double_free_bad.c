// verdict: FALSE(valid-free)
// check: --property valid-memsafety
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int *p = malloc(4);
    if (__VERIFIER_nondet_int() == 77)
        free(p);
    free(p);
    return 0;
}
