// The size of an array that does not fit its type.
// scan: --check unsigned-wrap
// run: no
#include <stdlib.h>
#include <unistd.h>
int main(void) {
    unsigned n = 0;
    if (read(0, &n, sizeof n) != sizeof n) return 0;
    unsigned size = n * 8u; //~ violated[unsigned-wrap]
    return size > 100;
}
