// A program that goes on when memory is exhausted has lost what `realloc` left.
// run: no
#include <stdlib.h>
int main(void) {
    char *buf = malloc(10); //~ violated[leak]
    if (!buf) return 1;
    buf = realloc(buf, 100);
    if (!buf) return 0;
    free(buf);
    return 0;
}
