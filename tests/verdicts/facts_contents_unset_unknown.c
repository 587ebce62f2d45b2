// verdict: UNKNOWN(abstraction: may fail for all that is known)
// check: --property valid-memsafety
// A field that was not set yet holds anything, whatever is stored there later.
// FIXME: the replay does not choose what fresh heap memory holds; the verdict would be FALSE(valid-deref).
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
