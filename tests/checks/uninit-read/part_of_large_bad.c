// A branch on some bits of a variable says nothing of the others. FIXME: the few executions of a test do not show it.
// scan: --budget nightly
// run: no
// slow
#include <stdio.h>
static unsigned total, seen[64], calls;
#define COUNT(n) if (c == n) { seen[n] += kind; total += seen[n] ^ (kind << (n % 7)); if (total & 1u) total ^= seen[n] * 3u; }
__attribute__((noinline)) static int classify(int c, unsigned kind, int set, unsigned mask) {
    unsigned x;
    if (set)
        x = (unsigned)c;
    if ((x & mask) == 0) { //~ unknown[uninit-read]
    COUNT(0) COUNT(1) COUNT(2) COUNT(3) COUNT(4) COUNT(5) COUNT(6) COUNT(7) COUNT(8) COUNT(9)
    COUNT(10) COUNT(11) COUNT(12) COUNT(13) COUNT(14) COUNT(15) COUNT(16) COUNT(17) COUNT(18) COUNT(19)
        if (x > 7u) //~ unknown[uninit-read]
            return 1;
    }
    return 0;
}
int main(void) {
    int c;
    while (scanf("%d", &c) == 1) {
        int set = ++calls <= 1000000;
        printf("%d\n", classify(c, total, set, set ? 8u : 0u));
    }
    return 0;
}
