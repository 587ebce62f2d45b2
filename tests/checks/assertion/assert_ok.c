// What the author believed is so.
#include <assert.h>
static unsigned isqrt(unsigned n) {
    unsigned r = 0;
    while ((r + 1) * (r + 1) <= n) r++;
    return r;
}
int main(void) {
    for (unsigned n = 0; n < 50; n++) {
        unsigned r = isqrt(n);
        assert(r * r <= n && (r + 1) * (r + 1) > n);
    }
    return 0;
}
