// The write is in a callback, the object in its caller.
#include <stdlib.h>
struct out { char *at; };
static void put(void *state, char c) {
    struct out *o = state;
    *o->at++ = c; //~ violated[out-of-bounds-write]
}
static void each(const char *s, void (*f)(void *, char), void *state) { while (*s) f(state, *s++); }
int main(void) {
    char *b = malloc(3);
    if (!b) return 0;
    struct out o = {b};
    each("abc", put, &o);
    each("d", put, &o);
    free(b);
    return 0;
}
