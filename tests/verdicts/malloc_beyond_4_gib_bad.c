// check: --property valid-memsafety --data-model LP64
// verdict: FALSE(valid-deref)
// The size is one element short for every n, small ones too.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n <= 0)
        return 0;
    long *a = malloc(8 * (size_t)(n - 1));
    a[n - 1] = 2;
    free(a);
    return 0;
}
