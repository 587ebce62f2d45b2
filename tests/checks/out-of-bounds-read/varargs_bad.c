// More arguments are read than were passed.
#include <stdarg.h>
static int sum(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int s = 0;
    for (int i = 0; i < n; i++)
        s += va_arg(ap, int); //~ violated[out-of-bounds-read]
    va_end(ap);
    return s;
}
int main(void) {
    return sum(2, 1, 2) + sum(3, 1, 2);
}
