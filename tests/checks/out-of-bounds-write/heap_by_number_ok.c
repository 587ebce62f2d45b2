// As many elements as a number says: below it, from behind, in another function, and by a copy of that length.
#include <stdlib.h>
#include <string.h>
static void fill(int *p, int n, int x) {
    for (int i = 0; i < n; i++) p[i] = x; //~ proved[out-of-bounds-write]
}
int main(int argc, char **argv) {
    (void)argv;
    int n = argc > 1000 ? 1000 : argc;
    int *p = malloc(n * sizeof *p), *q = calloc(n, sizeof *q);
    if (!p || !q) { free(p); free(q); return 1; }
    fill(p, n, 1);
    for (int i = n - 1; i >= 0; i--) p[i] = i; //~ proved[out-of-bounds-write]
    memcpy(q, p, n * sizeof *p); //~ proved[out-of-bounds-read] proved[out-of-bounds-write]
    free(p);
    free(q);
    return 0;
}
