// The same object under two names.
#include <stdlib.h>
int main(void) {
    char *p = malloc(4), *q = p;
    free(p);
    if (q) free(q); //~ violated[double-free]
    return 0;
}
