// realloc has freed the old object already.
#include <stdlib.h>
int main(void) {
    char *a = malloc(4);
    if (!a) return 0;
    char *b = realloc(a, 4000);
    if (!b) { free(a); return 0; }
    free(b);
    free(a); //~ violated[double-free]
    return 0;
}
