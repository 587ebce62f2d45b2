// malloc does not clear.
#include <stdlib.h>
int main(void) {
    int *a = malloc(3 * sizeof *a), r = 0;
    if (!a) return 0;
    a[0] = a[2] = 1;
    for (int i = 0; i < 3; i++)
        if (a[i]) r++; //~ violated[uninit-read]
    free(a);
    return r;
}
