// Only the small member of a union was allocated.
#include <stdlib.h>
union any { char c; double d; };
int main(void) {
    union any *u = malloc(sizeof u->c);
    if (!u) return 0;
    u->c = 1;
    int r = u->c;
    r += u->d > 0; //~ violated[out-of-bounds-read]
    free(u);
    return r;
}
