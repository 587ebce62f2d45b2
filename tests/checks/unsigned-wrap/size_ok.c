// A size that was tested, and a decrement that stops at nought.
// scan: --check unsigned-wrap
#include <limits.h>
#include <unistd.h>
int main(void) {
    unsigned n = 0;
    if (read(0, &n, sizeof n) != sizeof n) return 0;
    if (n > UINT_MAX / 8u) return 0;
    unsigned size = n * 8u; //~ proved[unsigned-wrap]
    if (n > 0) n--; //~ proved[unsigned-wrap]
    return size > n;
}
