// A flexible array member: the header says more elements than were allocated.
#include <stdlib.h>
struct table { unsigned n; int row[]; };
static int sum(const struct table *t) {
    int s = 0;
    for (unsigned i = 0; i < t->n; i++)
        s += t->row[i]; //~ violated[out-of-bounds-read]
    return s;
}
int main(void) {
    struct table *t = calloc(1, sizeof *t + 3 * sizeof(int));
    if (!t) return 0;
    t->n = 4;
    int s = sum(t);
    free(t);
    return s;
}
