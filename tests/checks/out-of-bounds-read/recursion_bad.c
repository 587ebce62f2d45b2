// The recursion ends one too late.
#include <stdlib.h>
static int sum(const int *a, int n) {
    if (n < 0) return 0;
    return a[n] + sum(a, n - 1); //~ violated[out-of-bounds-read]
}
int main(void) {
    int *a = calloc(3, sizeof *a);
    if (!a) return 0;
    int s = sum(a, 2);
    s += sum(a, 3);
    free(a);
    return s;
}
