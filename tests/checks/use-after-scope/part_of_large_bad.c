// The same in a part of a large function. FIXME: the few executions of a test do not show it.
// scan: --budget nightly
// run: no
// slow
#include <stdio.h>
static unsigned total, seen[64], calls;
#define COUNT(n) if (c == n) { seen[n] += kind; total += seen[n] ^ (kind << (n % 7)); if (total & 1u) total ^= seen[n] * 3u; }
__attribute__((noinline)) static int classify(int c, unsigned kind) {
    int a = 1, r, *p = &a;
    {
        int x = c;
        if (++calls > 1000000)
            p = &x;
    COUNT(0) COUNT(1) COUNT(2) COUNT(3) COUNT(4) COUNT(5) COUNT(6) COUNT(7) COUNT(8) COUNT(9)
    COUNT(10) COUNT(11) COUNT(12) COUNT(13) COUNT(14) COUNT(15) COUNT(16) COUNT(17) COUNT(18) COUNT(19)
        r = *p & 7;
    }
    return r + (*p & 7); //~ unknown[use-after-scope]
}
int main(void) {
    int c;
    while (scanf("%d", &c) == 1)
        printf("%d\n", classify(c, total));
    return 0;
}
