// A struct copied with the size of another.
#include <stdlib.h>
#include <string.h>
struct a { int v[4]; };
struct b { int v[6]; };
int main(void) {
    struct a *from = calloc(1, sizeof *from);
    struct b to;
    if (!from) return 0;
    memcpy(&to, from, sizeof to); //~ violated[out-of-bounds-read]
    free(from);
    return to.v[0];
}
