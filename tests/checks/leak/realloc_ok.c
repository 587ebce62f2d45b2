// The old pointer is kept until realloc succeeded.
#include <stdlib.h>
int main(void) {
    char *p = malloc(4);
    if (!p) return 0;
    char *q = realloc(p, 8);
    free(q ? q : p);
    return 0;
}
