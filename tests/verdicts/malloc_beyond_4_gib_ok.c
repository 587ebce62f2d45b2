// check: --property valid-memsafety --data-model LP64
// verdict: TRUE
// Where no request fails, one for more than 4 GiB does not either.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n <= 0)
        return 0;
    long *a = malloc(8 * (size_t)n);
    a[0] = 1;
    a[n - 1] = 2;
    free(a);
    return 0;
}
