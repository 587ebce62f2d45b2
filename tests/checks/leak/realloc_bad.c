// When realloc fails, the old object is still there, and its only pointer is not.
// run: no
#include <stdlib.h>
int main(void) {
    char *p = malloc(4); //~ violated[leak]
    if (!p) return 0;
    p = realloc(p, 8);
    free(p);
    return 0;
}
