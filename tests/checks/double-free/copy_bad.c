// A shallow copy of a struct that owns memory.
#include <stdlib.h>
#include <string.h>
struct text { char *s; };
static void drop(struct text *t) {
    free(t->s); //~ violated[double-free]
    t->s = NULL;
}
int main(void) {
    struct text a = {malloc(4)}, b;
    if (!a.s) return 0;
    memcpy(&b, &a, sizeof b);
    drop(&a);
    drop(&b);
    return 0;
}
