// A function too large to be asked whole: what its branches have decided holds where the check stands.
// scan: --budget nightly
// slow
// run: no
#include <stdio.h>
#include <string.h>
struct entry { unsigned first, count; };
static char text[4096];
static unsigned total, seen[64];

__attribute__((noinline)) static int classify(struct entry e, int c, unsigned kind) {
    unsigned room = sizeof text - e.first;
    if (e.first >= sizeof text || e.count > room || e.count == 0)
        return -1;
#define COUNT(n) if (c == n) { seen[n] += kind; total += seen[n] ^ (kind << (n % 7)); if (total & 1u) total ^= seen[n] * 3u; }
    COUNT(0) COUNT(1) COUNT(2) COUNT(3) COUNT(4) COUNT(5) COUNT(6) COUNT(7) COUNT(8) COUNT(9)
    COUNT(10) COUNT(11) COUNT(12) COUNT(13) COUNT(14) COUNT(15) COUNT(16) COUNT(17) COUNT(18) COUNT(19)
    COUNT(20) COUNT(21) COUNT(22) COUNT(23) COUNT(24) COUNT(25) COUNT(26) COUNT(27) COUNT(28) COUNT(29)
    text[e.first + e.count - 1] = (char)c; //~ proved[array-index]
    return 0;
}

int main(void) {
    struct entry e;
    int c;
    char line[32];
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "%u %u %d", &e.first, &e.count, &c) == 3)
            printf("%d\n", classify(e, c, total));
    }
    return 0;
}
