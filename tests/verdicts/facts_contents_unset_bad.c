// verdict: FALSE(valid-deref)
// check: --property valid-memsafety
// A field that was not set yet holds anything, whatever is stored there later.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct box { unsigned i; };
int main(void)
{
    int a[4] = {0};
    struct box *b = malloc(sizeof *b);
    if (__VERIFIER_nondet_int())
        b->i = 3;
    int r = a[b->i];
    free(b);
    return r;
}
