// The pointer is set to null in between; free of null is nothing.
#include <stdlib.h>
static int work(int n) {
    char *b = malloc(8);
    if (!b) return 0;
    if (n > 1) {
        free(b);
        b = NULL;
    }
    free(b);
    return 0;
}
int main(void) { return work(0) + work(2); }
