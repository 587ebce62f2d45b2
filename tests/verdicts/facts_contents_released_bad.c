// verdict: FALSE(valid-deref)
// check: --property valid-memsafety
// What was stored was good then; the object has been released since.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int *kept;
static void keep(void) { kept = malloc(sizeof *kept); *kept = 1; }
int main(void)
{
    keep();
    if (__VERIFIER_nondet_int())
        free(kept);
    int r = *kept;
    return r;
}
