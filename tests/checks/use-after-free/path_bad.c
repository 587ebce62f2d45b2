// Freed on the way of the error only.
#include <stdlib.h>
static int parse(char *buf, int bad) {
    buf[0] = 'x';
    if (bad) free(buf);
    return bad ? -1 : 0;
}
int main(void) {
    for (int i = 0; i < 2; i++) {
        char *b = malloc(4);
        if (!b) return 0;
        int r = parse(b, i);
        b[1] = (char)r; //~ violated[use-after-free]
        free(b);
    }
    return 0;
}
