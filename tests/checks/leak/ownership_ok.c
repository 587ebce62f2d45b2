// Freed elsewhere: in the callee, by the caller of the maker, in reverse by a stack.
#include <stdlib.h>
struct stack { void *item[4]; int n; };
static void *keep(struct stack *s, void *p) { if (p) s->item[s->n++] = p; return p; }
static void consume(char *p) { free(p); }
static char *make(void) { return malloc(3); }
int main(void) {
    struct stack s = {{0}, 0};
    for (int i = 0; i < 3; i++) keep(&s, make());
    consume(make());
    while (s.n) free(s.item[--s.n]);
    return 0;
}
