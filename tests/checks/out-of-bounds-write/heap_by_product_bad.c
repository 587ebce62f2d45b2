// The number of bytes wraps around, the number of elements does not.
#include <stdlib.h>
int main(int argc, char **argv) {
    (void)argv;
    unsigned n = 0x40000001u + (argc > 1000);
    unsigned bytes = n * 4u;
    int *p = malloc(bytes);
    if (!p) return 1;
    for (unsigned i = 0; i < n; i++) p[i] = 1; //~ violated[out-of-bounds-write]
    free(p);
    return 0;
}
