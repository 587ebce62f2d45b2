// A flexible array member of the right length, also of length none.
#include <stdlib.h>
struct table { unsigned n; int row[]; };
static struct table *make(unsigned n) {
    struct table *t = calloc(1, sizeof *t + n * sizeof(int));
    if (t) t->n = n;
    return t;
}
static int sum(const struct table *t) {
    int s = 0;
    for (unsigned i = 0; i < t->n; i++) s += t->row[i];
    return s;
}
int main(void) {
    int s = 0;
    for (unsigned n = 0; n < 4; n++) {
        struct table *t = make(n);
        if (t) s += sum(t);
        free(t);
    }
    return s;
}
