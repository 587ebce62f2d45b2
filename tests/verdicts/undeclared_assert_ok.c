// verdict: TRUE
// check: --property unreach-call
// `assert` without a declaration, as in many tasks: a pointer must not be cut to an int.
#include <stdlib.h>
int main(void)
{
    int *p = malloc(sizeof *p);
    assert(p);
    return 0;
}
