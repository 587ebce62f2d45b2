// A length from outside is kept in a type that is too small, and a negative number becomes a size.
// scan: --check integer-truncation
// run: no
#include <stdio.h>
#include <string.h>
static void keep(int n) {
    short s = n; //~ violated[integer-truncation]
    printf("%d\n", s);
}
static unsigned long size_of(int n) {
    return n; //~ violated[integer-truncation]
}
int main(void) {
    int n = 0;
    if (scanf("%d", &n) != 1) return 0;
    if (n > 0) keep(n);
    return size_of(n) > 100;
}
