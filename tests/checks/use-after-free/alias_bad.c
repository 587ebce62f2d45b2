// Freed through one name, used through another.
#include <stdlib.h>
struct box { int *a, *b; };
static int use(struct box *x) {
    free(x->a);
    return *x->b; //~ violated[use-after-free]
}
int main(void) {
    int *p = malloc(sizeof *p);
    if (!p) return 0;
    *p = 3;
    struct box x = {p, p};
    return use(&x);
}
