// As many as were passed, of mixed classes.
#include <stdarg.h>
static double sum(const char *k, ...) {
    va_list ap;
    va_start(ap, k);
    double s = 0;
    for (; *k; k++) s += *k == 'i' ? va_arg(ap, int) : va_arg(ap, double);
    va_end(ap);
    return s;
}
int main(void) { return sum("idi", 1, 2.0, 3) != 6 || sum("") != 0; }
