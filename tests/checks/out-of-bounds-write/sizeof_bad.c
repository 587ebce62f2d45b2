// sizeof of the pointer instead of the object: here too large.
#include <stdlib.h>
#include <string.h>
struct flags { char a, b; };
int main(void) {
    struct flags *f = malloc(sizeof *f);
    if (!f) return 0;
    memset(f, 0, sizeof f); //~ violated[out-of-bounds-write]
    free(f);
    return 0;
}
