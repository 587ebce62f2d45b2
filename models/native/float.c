/* The primitives of verify_primitives.h about floating point, over the host's C library. */
#define _GNU_SOURCE
#include "../verify_primitives.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double __verify_math1(int op, double x)
{
    static double (*const f[])(double) = {sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, exp, exp2,
                                          expm1, log, log2, log10, log1p, cbrt, tgamma, lgamma, erf, erfc};
    return f[op](x);
}

double __verify_math2(int op, double x, double y)
{
    static double (*const f[])(double, double) = {pow, atan2, fmod, hypot, remainder};
    return f[op](x, y);
}

static unsigned formatted(char *buf, unsigned cap, char *text, int n)
{
    if ((unsigned)n <= cap)
        memcpy(buf, text, (size_t)n);
    free(text);
    return (unsigned)n;
}

unsigned __verify_float_format(char *buf, unsigned cap, double x, int conv, int flags, int width, int prec)
{
    char format[16], *text;
    sprintf(format, "%%%s.*%c", flags & VERIFY_FORMAT_ALTERNATE ? "#" : "", conv);
    int n = asprintf(&text, format, prec, x);
    return formatted(buf, cap, text, n);
}

unsigned __verify_float_format_l(char *buf, unsigned cap, long double x, int conv, int flags, int width, int prec)
{
    char format[16], *text;
    sprintf(format, "%%%s.*L%c", flags & VERIFY_FORMAT_ALTERNATE ? "#" : "", conv);
    int n = asprintf(&text, format, prec, x);
    return formatted(buf, cap, text, n);
}

#define PARSE(type, name, host)                                                                                       \
    type name(const char *s, unsigned long n)                                                                         \
    {                                                                                                                 \
        char *copy = strndup(s, n), *stop;                                                                            \
        int saved = errno;                                                                                            \
        type v = host(copy, &stop);                                                                                   \
        if (*stop != 0 || strlen(copy) != n)                                                                          \
            abort(); /* the models hand over nothing but numbers */                                                   \
        errno = saved;                                                                                                \
        free(copy);                                                                                                   \
        return v;                                                                                                     \
    }
PARSE(float, __verify_strtof, strtof)
PARSE(double, __verify_strtod, strtod)
PARSE(long double, __verify_strtold, strtold)
