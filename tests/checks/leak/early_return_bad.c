// An early return forgets the first object.
// run: no
#include <stdlib.h>
static int work(int n) {
    char *a = malloc(4); //~ violated[leak]
    if (!a) return 0;
    if (n > 1) return -1;
    free(a);
    return 0;
}
int main(void) { return work(0) + work(2); }
