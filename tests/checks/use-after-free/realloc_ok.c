// The pointer is made anew.
#include <stdlib.h>
int main(void) {
    int *a = malloc(2 * sizeof *a);
    if (!a) return 0;
    a[1] = 5;
    int *b = realloc(a, 4000 * sizeof *b);
    if (!b) { free(a); return 0; }
    int r = b[1];
    free(b);
    return r != 5;
}
