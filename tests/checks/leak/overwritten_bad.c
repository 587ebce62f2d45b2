// The only pointer is overwritten.
// run: no
#include <stdlib.h>
int main(void) {
    char *p = malloc(4); //~ violated[leak]
    p = malloc(8);
    free(p);
    return 0;
}
