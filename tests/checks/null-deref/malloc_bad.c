// An allocation may fail. An ordinary run has memory enough.
// run: no
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1; //~ violated[null-deref]
    free(p);
    return 0;
}
