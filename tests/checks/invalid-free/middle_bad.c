// Not the start of the object.
#include <stdlib.h>
int main(void) {
    char *p = calloc(1, 8);
    if (!p) return 0;
    while (*p == 0 && p[1] == 0) { p++; break; }
    free(p); //~ violated[invalid-free]
    return 0;
}
