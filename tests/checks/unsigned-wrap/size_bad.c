// The size of an array that does not fit its type.
// scan: --check unsigned-wrap
// run: no
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    unsigned n = 0;
    if (scanf("%u", &n) != 1) return 0;
    unsigned size = n * 8u; //~ violated[unsigned-wrap]
    char *p = malloc((size_t)size + 1);
    free(p);
    return 0;
}
