// One element more than a number says.
#include <stdlib.h>
static void fill(int *p, int n, int x) {
    for (int i = 0; i <= n; i++) p[i] = x; //~ violated[out-of-bounds-write]
}
int main(int argc, char **argv) {
    (void)argv;
    int n = argc > 1000 ? 1000 : argc;
    int *p = malloc(n * sizeof *p);
    if (!p) return 1;
    fill(p, n, 1);
    free(p);
    return 0;
}
