// A function too large to be asked whole: that a pointer was good where it was made says nothing of later.
// scan: --budget nightly
// run: no
// slow
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static unsigned total, seen[64];
static char *make(int c) {
    char *p = malloc(8);
    if (!p)
        exit(1);
    memset(p, c, 8);
    return p;
}

__attribute__((noinline)) static int classify(int c, unsigned kind) {
    char *p = make(c);
    if (c > 1000)
        free(p);
#define COUNT(n) if (c == n) { seen[n] += kind; total += seen[n] ^ (kind << (n % 7)); if (total & 1u) total ^= seen[n] * 3u; }
    COUNT(0) COUNT(1) COUNT(2) COUNT(3) COUNT(4) COUNT(5) COUNT(6) COUNT(7) COUNT(8) COUNT(9)
    COUNT(10) COUNT(11) COUNT(12) COUNT(13) COUNT(14) COUNT(15) COUNT(16) COUNT(17) COUNT(18) COUNT(19)
    COUNT(20) COUNT(21) COUNT(22) COUNT(23) COUNT(24) COUNT(25) COUNT(26) COUNT(27) COUNT(28) COUNT(29)
    int r = p[1]; //~ violated[use-after-free]
    if (c <= 1000)
        free(p);
    return r;
}

int main(void) {
    int c;
    char line[32];
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "%d", &c) == 1)
            printf("%d\n", classify(c, total));
    }
    return 0;
}
