/* Integers from text, and integer arithmetic of <stdlib.h> and <inttypes.h>. */
#include "internal.h"
#include <stdlib.h>
#include <inttypes.h>
#undef strtol
#undef strtoul
#undef strtoll
#undef strtoull
#undef abs
#undef labs
#undef llabs

static int digit_value(int c)
{
    if (vm_isdigit(c))
        return c - '0';
    if (vm_isalpha(c))
        return vm_tolower(c) - 'a' + 10;
    return 99;
}

/* `bits` is the width of the result; out of range gives the nearest value and ERANGE, a bad base 0 and EINVAL (then
 * `*end` is left alone, as in glibc). `binary`: C23, 0b is a prefix. */
unsigned long long __verify_lib_strtoull(const char *s, const char **end, int base, int is_signed, int bits, int binary)
{
    if (base < 0 || base == 1 || base > 36) {
        errno = EINVAL;
        return 0;
    }
    const char *p = s;
    while (vm_isspace((unsigned char)*p))
        p++;
    int negative = *p == '-';
    if (*p == '-' || *p == '+')
        p++;
    const char *start = s; /* where the number ends if no digit follows */
    if (p[0] == '0') {
        int c = vm_tolower((unsigned char)p[1]);
        if ((base == 0 || base == 16) && c == 'x') {
            start = p + 1;
            p += 2;
            base = 16;
        } else if (binary && (base == 0 || base == 2) && c == 'b') {
            start = p + 1;
            p += 2;
            base = 2;
        } else if (base == 0) {
            base = 8;
        }
    } else if (base == 0) {
        base = 10;
    }
    unsigned long long max = bits == 64 ? ~0ULL : (1ULL << bits) - 1;
    unsigned long long limit = !is_signed ? max : negative ? max / 2 + 1 : max / 2;
    unsigned long long value = 0;
    int overflow = 0, digits = 0;
    for (;; p++) {
        int d = digit_value((unsigned char)*p);
        if (d >= base)
            break;
        digits = 1;
        if (overflow || value > (limit - (unsigned)d) / (unsigned)base)
            overflow = 1;
        else
            value = value * (unsigned)base + (unsigned)d;
    }
    *end = digits ? p : start;
    if (overflow) {
        errno = ERANGE;
        return !is_signed ? max : limit * (negative ? -1ULL : 1ULL);
    }
    return negative ? -value : value;
}

#define STRTO(name, type, is_signed, binary)                                                                          \
    type name(const char *s, char **end, int base)                                                                    \
    {                                                                                                                 \
        const char *stop = NULL;                                                                                      \
        unsigned long long v = __verify_lib_strtoull(s, &stop, base, is_signed, 8 * sizeof(type), binary);            \
        if (end != NULL && stop != NULL)                                                                              \
            *end = (char *)stop;                                                                                      \
        return (type)v;                                                                                               \
    }

STRTO(strtol, long, 1, 0)
STRTO(strtoul, unsigned long, 0, 0)
STRTO(strtoll, long long, 1, 0)
STRTO(strtoull, unsigned long long, 0, 0)
STRTO(strtoq, long long, 1, 0)
STRTO(strtouq, unsigned long long, 0, 0)
STRTO(strtoimax, intmax_t, 1, 0)
STRTO(strtoumax, uintmax_t, 0, 0)
STRTO(__isoc23_strtol, long, 1, 1)
STRTO(__isoc23_strtoul, unsigned long, 0, 1)
STRTO(__isoc23_strtoll, long long, 1, 1)
STRTO(__isoc23_strtoull, unsigned long long, 0, 1)
STRTO(__isoc23_strtoimax, intmax_t, 1, 1)
STRTO(__isoc23_strtoumax, uintmax_t, 0, 1)

#define STRTO_INTERNAL(name, type, is_signed)                                                                         \
    type name(const char *s, char **end, int base, int group)                                                         \
    {                                                                                                                 \
        const char *stop = NULL;                                                                                      \
        unsigned long long v = __verify_lib_strtoull(s, &stop, base, is_signed, 8 * sizeof(type), 0);                 \
        if (end != NULL && stop != NULL)                                                                              \
            *end = (char *)stop;                                                                                      \
        return (type)v;                                                                                               \
    }

STRTO_INTERNAL(__strtol_internal, long, 1)
STRTO_INTERNAL(__strtoul_internal, unsigned long, 0)
STRTO_INTERNAL(__strtoll_internal, long long, 1)
STRTO_INTERNAL(__strtoull_internal, unsigned long long, 0)

int atoi(const char *s)
{
    const char *stop;
    return (int)(long)__verify_lib_strtoull(s, &stop, 10, 1, 8 * sizeof(long), 0);
}

long atol(const char *s)
{
    const char *stop;
    return (long)__verify_lib_strtoull(s, &stop, 10, 1, 8 * sizeof(long), 0);
}

long long atoll(const char *s)
{
    const char *stop;
    return (long long)__verify_lib_strtoull(s, &stop, 10, 1, 64, 0);
}

/* The most negative value has no absolute value: signed overflow, a failing check of the negation. */
int abs(int x)
{
    return x < 0 ? -x : x;
}

long labs(long x)
{
    return x < 0 ? -x : x;
}

long long llabs(long long x)
{
    return x < 0 ? -x : x;
}

intmax_t imaxabs(intmax_t x)
{
    return x < 0 ? -x : x;
}

div_t div(int a, int b)
{
    div_t r;
    r.quot = a / b;
    r.rem = a % b;
    return r;
}

ldiv_t ldiv(long a, long b)
{
    ldiv_t r;
    r.quot = a / b;
    r.rem = a % b;
    return r;
}

lldiv_t lldiv(long long a, long long b)
{
    lldiv_t r;
    r.quot = a / b;
    r.rem = a % b;
    return r;
}

imaxdiv_t imaxdiv(intmax_t a, intmax_t b)
{
    imaxdiv_t r;
    r.quot = a / b;
    r.rem = a % b;
    return r;
}

/* Radix 64 of the low 32 bits, least significant digit first. */
char *l64a(long n)
{
    static const char digits[] = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    static char out[7];
    unsigned long m = (unsigned long)n & 0xffffffff;
    int i = 0;
    for (; m != 0; m >>= 6)
        out[i++] = digits[m & 63];
    out[i] = 0;
    return out;
}

long a64l(const char *s)
{
    unsigned long v = 0;
    for (int i = 0; i < 6 && s[i] != 0; i++) {
        int c = (unsigned char)s[i];
        unsigned long d;
        if (c == '.' || c == '/')
            d = (unsigned long)(c - '.');
        else if (vm_isdigit(c))
            d = (unsigned long)(c - '0' + 2);
        else if (vm_isupper(c))
            d = (unsigned long)(c - 'A' + 12);
        else if (vm_islower(c))
            d = (unsigned long)(c - 'a' + 38);
        else
            break;
        v |= d << (6 * i);
    }
    return (long)v;
}
