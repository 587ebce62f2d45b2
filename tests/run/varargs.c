// Variable arguments of every class, va_copy, passed on, more than the registers hold, structs, none at all.
#include "check.h"
#include <stdarg.h>
#include <string.h>
typedef struct { long a, b; } two;
typedef struct { long a, b, c; } three;
typedef struct { double x; int n; } mix;
typedef struct { float a, b, c; } floats;
static long sum(int n, ...) {
    va_list ap;
    va_start(ap, n);
    long s = 0;
    for (int i = 0; i < n; i++) s += va_arg(ap, int);
    va_end(ap);
    return s;
}
static double sumd(const char *what, ...) {
    va_list ap, again;
    va_start(ap, what);
    va_copy(again, ap);
    double s = 0;
    for (const char *p = what; *p; p++)
        switch (*p) {
        case 'i': s += va_arg(ap, int); break;
        case 'l': s += va_arg(ap, long); break;
        case 'd': s += va_arg(ap, double); break;
        case 'L': s += (double)va_arg(ap, long double); break;
        case 'p': s += *va_arg(ap, int *); break;
        case '2': s += va_arg(ap, two).b; break;
        case '3': s += va_arg(ap, three).c; break;
        case 'm': { mix m = va_arg(ap, mix); s += m.x + m.n; break; }
        case 'f': s += va_arg(ap, floats).c; break;
        case 'w': s += (double)(long)(va_arg(ap, __int128) >> 64); break;
        }
    if (*what == 'i') s += 1000 * va_arg(again, int);
    va_end(again);
    va_end(ap);
    return s;
}
static int format(char *buf, size_t n, const char *f, ...) {
    va_list ap;
    va_start(ap, f);
    int r = vsnprintf(buf, n, f, ap);
    va_end(ap);
    return r;
}
static long take(va_list *ap) { return va_arg(*ap, long); }
static long by_pointer(int n, ...) {
    va_list ap;
    va_start(ap, n);
    long a = take(&ap), b = take(&ap);
    va_end(ap);
    return a * 10 + b;
}
int main(void) {
    int seven = 7;
    CHECK(sum(0) == 0 && sum(3, 1, 2, 3) == 6);
    CHECK(sum(10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10) == 55);
    CHECK(sumd("idl", 1, 2.5, 3L) == 1006.5);
    CHECK(sumd("dddddddddd", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.) == 55);
    CHECK(sumd("lLpd", 1L, 2.0L, &seven, 0.5) == 10.5);
    CHECK(sumd("23mfl", (two){1, 2}, (three){1, 2, 3}, (mix){0.5, 4}, (floats){1, 2, 3}, 5L) == 17.5);
    CHECK(sumd("lllll2l", 1L, 1L, 1L, 1L, 1L, (two){0, 5}, 1L) == 11);
    CHECK(sumd("wl", (__int128)3 << 64, 2L) == 5);
    char buf[32];
    CHECK(format(buf, sizeof buf, "%d-%s-%.2f-%c", 4, "x", 1.5, 'z') == 10 && !strcmp(buf, "4-x-1.50-z"));
    CHECK(format(buf, 4, "%s", "abcdef") == 6 && !strcmp(buf, "abc"));
    CHECK(by_pointer(2, 3L, 4L) == 34);
    CHECK(sumd("d", 1.5f) == 1.5 && sum(1, (char)-1) == -1 && sum(1, (unsigned char)200) == 200);
    return DONE;
}
