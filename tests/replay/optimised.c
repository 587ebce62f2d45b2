// A write whose value nobody reads is made, and a function that is only ever inlined is found.
// flags: -O2
// replay: confirmed by execution: AddressSanitizer: heap-buffer-overflow at optimised.c:11
#include <stdlib.h>
#include <string.h>
inline int twice(int n) { return 2 * n; }
int main(int argc, char **argv) {
    int *t = calloc(4, sizeof *t);
    if (!t) return 2;
    if (argc == 1)
        memset(t, 0, (size_t)(4 + argc) * sizeof *t);
    int r = argc == 3 ? twice(t[0]) : 0;
    free(t);
    return r;
}
