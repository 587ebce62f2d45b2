// The same with the check, written in three ways.
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof *p), *q = calloc(2, sizeof *q), *r;
    if (p) *p = 1;
    if (q != NULL && q[1] == 0) q[0] = 2;
    if ((r = malloc(4))) *r = 3;
    free(r);
    free(q);
    free(p);
    return 0;
}
