// The error path frees, and so does the common end.
#include <stdlib.h>
static int work(int n) {
    int r = 0;
    char *b = malloc(8);
    if (!b) return 0;
    if (n > 1) {
        free(b);
        r = -1;
    }
    free(b); //~ violated[double-free]
    return r;
}
int main(void) { return work(0) + work(2); }
