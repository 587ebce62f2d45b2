// Padding may be copied, passed and returned as long as nobody looks at it.
#include <stdlib.h>
#include <string.h>
struct padded { char c; int i; };
static struct padded pass(struct padded p) { p.i++; return p; }
static int equal(const struct padded *a, const struct padded *b) { return a->c == b->c && a->i == b->i; }
int main(void) {
    struct padded a, b, *h = malloc(sizeof *h), z;
    a.c = 1;
    a.i = 2;
    b = pass(a);
    memset(&z, 0, sizeof z);
    int r = equal(&a, &b) + memcmp(&z, &(char[sizeof z]){0}, sizeof z);
    if (!h) return r;
    memcpy(h, &b, sizeof b);
    r += h->i != 3;
    free(h);
    return r;
}
