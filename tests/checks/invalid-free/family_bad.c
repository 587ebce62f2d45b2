// A stream is closed, not freed.
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    FILE *f = tmpfile();
    if (!f) return 0;
    free(f); //~ violated[invalid-free]
    return 0;
}
