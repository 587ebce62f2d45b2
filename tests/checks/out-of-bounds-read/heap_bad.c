// Off by one in the condition of a loop.
#include <stdlib.h>
int main(void) {
    int n = 4, s = 0;
    int *a = calloc(n, sizeof *a);
    if (!a) return 0;
    for (int i = 0; i <= n; i++)
        s += a[i]; //~ violated[out-of-bounds-read]
    free(a);
    return s;
}
