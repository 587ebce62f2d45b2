// scan: --allocation-succeeds
// Nobody wants to hear of memory that is used up.
#include <stdlib.h>
int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 3; //~ proved[null-deref]
    int *q = realloc(p, 2 * sizeof *q);
    q[1] = 4; //~ proved[null-deref]
    free(q);
    return 0;
}
