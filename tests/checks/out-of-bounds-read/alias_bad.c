// Two pointers to one object; the size that is believed is that of the other.
#include <stdlib.h>
struct small { int a; };
struct large { int a, b, c; };
int main(void) {
    struct small *s = malloc(sizeof *s);
    if (!s) return 0;
    s->a = 1;
    struct large *l = (struct large *)s;
    int r = l->a;
    r += l->c; //~ violated[out-of-bounds-read]
    free(s);
    return r;
}
