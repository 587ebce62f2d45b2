// verdict: TRUE
// check: --property valid-memsafety
// All that is read was written.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 100000)
        return 0;
    int *p = malloc(n * sizeof *p);
    for (unsigned i = 0; i < n; i++)
        p[i] = i;
    int s = 0;
    for (unsigned i = 0; i < n; i++)
        s ^= p[i];
    free(p);
    return s == 3;
}
