// A size that was tested, a decrement that stops at nought, and a hash that wraps without anyone having asked.
// scan: --check unsigned-wrap
#include <stdio.h>
#include <stdlib.h>
#include <limits.h>
int main(void) {
    unsigned n = 0;
    if (scanf("%u", &n) != 1) return 0;
    if (n > UINT_MAX / 8u) return 0;
    unsigned size = n * 8u; //~ proved[unsigned-wrap]
    while (n > 0 && n < 4) n--;
    return size > 100;
}
