// A pointer into the object from before it moved.
#include <stdlib.h>
int main(void) {
    int *a = malloc(2 * sizeof *a);
    if (!a) return 0;
    a[1] = 5;
    int *into = &a[1];
    int *b = realloc(a, 4000 * sizeof *b);
    if (!b) { free(a); return 0; }
    int r = *into; //~ violated[use-after-free]
    free(b);
    return r;
}
