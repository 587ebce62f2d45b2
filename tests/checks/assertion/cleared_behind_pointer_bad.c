// The whole object is cleared that a pointer leads to after many rounds. FIXME: the few executions of a test do not show it.
// run: no
#include <assert.h>
#include <stdio.h>
#include <string.h>
struct pair { int a, b; };
static struct pair g = {1, 2}, other = {1, 2};
static unsigned calls;
static void reset(struct pair *p) {
    int v = p->a;
    memset(&g, 0, sizeof g);
    assert(p->a == v); //~ unknown[assertion]
}
int main(void) {
    int c;
    while (scanf("%d", &c) == 1) {
        g.a = c;
        reset(++calls > 1000000 ? &g : &other);
    }
    return 0;
}
