// After many rounds the pointer is that of a variable whose scope ends before the last line. FIXME: the few executions of a
// test do not show it.
// run: no
#include <stdio.h>
static int keep = 1;
static unsigned calls;
static int *choose(int *a) { return ++calls > 1000000 ? a : &keep; }
static int *pick(int *a) { return choose(a); }
static int use(int c) {
    int r, *p;
    {
        int x = c;
        p = pick(&x);
        r = *p & 7;
    }
    return r + (*p & 7); //~ unknown[use-after-scope]
}
int main(void) {
    int c;
    while (scanf("%d", &c) == 1)
        printf("%d\n", use(c));
    return 0;
}
