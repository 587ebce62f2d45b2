// A number from outside is kept in a type that is too small, and a negative one becomes a size.
// scan: --check integer-truncation
// run: no
#include <unistd.h>
static int keep(int n) {
    short s = n; //~ violated[integer-truncation]
    return s;
}
static unsigned long size_of(int n) {
    return n; //~ violated[integer-truncation]
}
int main(void) {
    int n = 0;
    if (read(0, &n, sizeof n) != (ssize_t)sizeof n) return 0;
    if (n > 0) return keep(n) > 3;
    return size_of(n) > 100;
}
