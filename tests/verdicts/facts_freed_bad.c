// verdict: FALSE(valid-deref)
// check: --property valid-memsafety
// What an access showed of a pointer, a call that releases the object takes back.
#include <stdlib.h>
static void drop(int *p, int really)
{
    if (really)
        free(p);
}
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 1;
    int really = __VERIFIER_nondet_int();
    drop(p, really);
    int r = *p;
    if (!really)
        free(p);
    return r;
}
