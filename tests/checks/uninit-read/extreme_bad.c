// Comparisons that end the same whatever a value is do not need it.
#include <stdlib.h>

int main(void) {
    unsigned *x = malloc(sizeof *x);
    unsigned char *c = malloc(1);
    if (!x || !c)
        abort();
    int r = 0;
    if (*x < 0u)
        r = 1;
    if (*c < 256)
        r = 2;
    if (*c >= 0)
        r += 3;
    if (*x == 5) //~ violated[uninit-read]
        r += 4;
    free(x);
    free(c);
    return r;
}
