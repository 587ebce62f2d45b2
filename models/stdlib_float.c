/* Floating-point numbers from text: the grammar of strtod here, the correctly rounded decimal value by a primitive,
 * hexadecimal by integer arithmetic.
 * errno: ERANGE on overflow, and when the result is zero or subnormal and inexact. A decimal number below the normal range
 * is taken as inexact: exactly representable ones have more than 700 digits (double), and for them errno differs, as it does for one that rounds up
 * to the smallest normal number. */
#include "internal.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

struct scanned {
    enum { NONE, INFINITE, NOT_A_NUMBER, DECIMAL, HEXADECIMAL } form;
    int negative;
    int nonzero;           /* some digit is not 0 */
    const char *digits;    /* first character after the sign and 0x */
    const char *end;       /* first character not used */
    const char *payload;   /* of nan(...), else NULL */
};

static int matches(const char *s, const char *word)
{
    size_t i = 0;
    while (word[i] != 0) {
        if (vm_tolower((unsigned char)s[i]) != word[i])
            return 0;
        i++;
    }
    return 1;
}

static struct scanned scan(const char *s)
{
    struct scanned r = {NONE, 0, 0, s, s, NULL};
    const char *p = s;
    while (vm_isspace((unsigned char)*p))
        p++;
    r.negative = *p == '-';
    if (*p == '-' || *p == '+')
        p++;
    if (matches(p, "inf")) {
        r.form = INFINITE;
        r.end = matches(p + 3, "inity") ? p + 8 : p + 3;
        return r;
    }
    if (matches(p, "nan")) {
        r.form = NOT_A_NUMBER;
        r.end = p + 3;
        if (p[3] == '(') {
            const char *q = p + 4;
            while (vm_isalnum((unsigned char)*q) || *q == '_')
                q++;
            if (*q == ')') {
                r.payload = p + 4;
                r.end = q + 1;
            }
        }
        return r;
    }
    int hex = p[0] == '0' && vm_tolower((unsigned char)p[1]) == 'x'
        && (vm_isxdigit((unsigned char)p[2]) || (p[2] == '.' && vm_isxdigit((unsigned char)p[3])));
    if (hex)
        p += 2;
    r.digits = p;
    int digits = 0, point = 0;
    for (;; p++) {
        int c = (unsigned char)*p;
        if (hex ? vm_isxdigit(c) : vm_isdigit(c)) {
            digits = 1;
            if (c != '0')
                r.nonzero = 1;
        } else if (c == '.' && !point) {
            point = 1;
        } else {
            break;
        }
    }
    if (!digits)
        return r;
    r.form = hex ? HEXADECIMAL : DECIMAL;
    r.end = p;
    if (vm_tolower((unsigned char)*p) == (hex ? 'p' : 'e')) {
        p++;
        if (*p == '-' || *p == '+')
            p++;
        if (vm_isdigit((unsigned char)*p)) {
            while (vm_isdigit((unsigned char)*p))
                p++;
            r.end = p;
        }
    }
    return r;
}

static unsigned long long nan_payload(const char *payload)
{
    const char *stop;
    unsigned long long v = __verify_lib_strtoull(payload, &stop, 0, 0, 64, 0);
    return *stop == ')' ? v : 0;
}

/* A hexadecimal number as mantissa * 2^exponent, the mantissa rounded to nearest-even to what a format of `precision` bits
 * and least exponent `least` (of the last bit of a subnormal) can hold. */
struct binary {
    unsigned long long mantissa;
    long exponent;
    int inexact;
    int tiny; /* below the normal range also after rounding to `precision` bits with any exponent */
};

static struct binary round_hex(const struct scanned *n, int precision, long least)
{
    struct binary r = {0, 0, 0, 0};
    int point = 0, guard = 0, sticky = 0, full = 0; /* the number is mantissa.guard sticky */
    const char *p = n->digits;
    for (; p != n->end && vm_tolower((unsigned char)*p) != 'p'; p++) {
        int c = vm_tolower((unsigned char)*p);
        if (c == '.') {
            point = 1;
            continue;
        }
        unsigned digit = vm_isdigit(c) ? (unsigned)(c - '0') : (unsigned)(c - 'a' + 10);
        for (int i = 3; i >= 0; i--) {
            unsigned bit = (digit >> i) & 1;
            if (r.mantissa >> 63 == 0) {
                r.mantissa = r.mantissa << 1 | bit;
                r.exponent -= point;
            } else {
                if (full)
                    sticky |= (int)bit;
                else
                    guard = (int)bit;
                full = 1;
                r.exponent += !point;
            }
        }
    }
    if (r.mantissa == 0) {
        r.exponent = 0;
        return r;
    }
    if (p != n->end) {
        p++;
        int negative = *p == '-';
        if (*p == '-' || *p == '+')
            p++;
        long e = 0;
        for (; p != n->end; p++) {
            if (e < 100000000)
                e = e * 10 + (*p - '0');
        }
        r.exponent += negative ? -e : e;
    }
    while (r.mantissa >> 63 == 0) {
        r.mantissa <<= 1;
        r.exponent--;
    }
    long drop = 64 - precision;
    unsigned long long above_all = ~0ULL << drop | (drop > 0 ? 1ULL << (drop - 1) : 0);
    int rounds_up_a_binade = drop > 0 ? r.mantissa >= above_all : r.mantissa == above_all && guard;
    r.tiny = r.exponent + rounds_up_a_binade < least + precision - 64;
    if (r.exponent + drop < least)
        drop = least - r.exponent;
    for (; drop > 0 && (r.mantissa != 0 || guard); drop--) {
        sticky |= guard;
        guard = (int)(r.mantissa & 1);
        r.mantissa >>= 1;
        r.exponent++;
    }
    if (drop > 0) {
        sticky |= guard;
        guard = 0;
    }
    r.inexact = guard || sticky;
    if (guard && (sticky || (r.mantissa & 1))) {
        r.mantissa++;
        if (r.mantissa == 0) {
            r.mantissa = 1ULL << 63;
            r.exponent++;
        }
    }
    return r;
}

/* value * 2^e without double rounding: the value has room for every intermediate result that is not the last one. */
static long double scale(long double value, long e)
{
    while (e >= 1000) {
        value *= 0x1p1000L;
        e -= 1000;
        if (value > LDBL_MAX)
            return value;
    }
    while (e <= -1000) {
        value *= 0x1p-1000L;
        e += 1000;
        if (value == 0)
            return value;
    }
    for (; e > 0; e--)
        value *= 2;
    for (; e < 0; e++)
        value /= 2;
    return value;
}

#define PARSE(name, type, primitive, precision, least, smallest, huge, quiet_nan)                                     \
    type name(const char *s, const char **end)                                                                        \
    {                                                                                                                 \
        struct scanned n = scan(s);                                                                                   \
        type v = 0;                                                                                                   \
        int underflow = 0;                                                                                            \
        *end = n.end;                                                                                                 \
        if (n.form == NONE)                                                                                           \
            return 0;                                                                                                 \
        if (n.form == INFINITE)                                                                                       \
            return n.negative ? -(type)INFINITY : (type)INFINITY;                                                     \
        if (n.form == NOT_A_NUMBER) {                                                                                 \
            v = quiet_nan(n.payload != NULL ? nan_payload(n.payload) : 0);                                            \
            return n.negative ? -v : v;                                                                               \
        }                                                                                                             \
        if (n.form == HEXADECIMAL) {                                                                                  \
            struct binary b = round_hex(&n, precision, least);                                                        \
            underflow = b.inexact && b.tiny;                                                                          \
            v = b.exponent > 20000 ? (type)INFINITY : (type)scale((long double)b.mantissa, b.exponent);               \
        } else if (n.nonzero) {                                                                                       \
            v = primitive(n.digits, (unsigned long)(n.end - n.digits));                                               \
            underflow = v < (smallest);                                                                               \
        }                                                                                                             \
        if (n.nonzero && (v > (huge) || underflow))                                                                   \
            errno = ERANGE;                                                                                           \
        return n.negative ? -v : v;                                                                                   \
    }

static float float_nan(unsigned long long payload)
{
    union { unsigned bits; float f; } u;
    u.bits = 0x7fc00000u | ((unsigned)payload & 0x3fffffu);
    return u.f;
}

static double double_nan(unsigned long long payload)
{
    union { unsigned long long bits; double f; } u;
    u.bits = 0x7ff8000000000000ull | (payload & 0x7ffffffffffffull);
    return u.f;
}

static long double long_double_nan(unsigned long long payload)
{
#if LDBL_MANT_DIG == 64
    union { struct { unsigned long long mantissa; unsigned short exponent; } bits; long double f; } u;
    u.f = 0;
    u.bits.mantissa = 0xc000000000000000ull | (payload & 0x3fffffffffffffffull);
    u.bits.exponent = 0x7fff;
    return u.f;
#else
    return (long double)double_nan(payload);
#endif
}

PARSE(__verify_lib_strtof, float, __verify_strtof, FLT_MANT_DIG, FLT_MIN_EXP - FLT_MANT_DIG, FLT_MIN, FLT_MAX, float_nan)
PARSE(__verify_lib_strtod, double, __verify_strtod, DBL_MANT_DIG, DBL_MIN_EXP - DBL_MANT_DIG, DBL_MIN, DBL_MAX, double_nan)
PARSE(__verify_lib_strtold, long double, __verify_strtold, LDBL_MANT_DIG, LDBL_MIN_EXP - LDBL_MANT_DIG, LDBL_MIN, LDBL_MAX,
      long_double_nan)

#define STRTO(name, type, parse)                                                                                      \
    type name(const char *s, char **end)                                                                              \
    {                                                                                                                 \
        const char *stop;                                                                                             \
        type v = parse(s, &stop);                                                                                     \
        if (end != NULL)                                                                                              \
            *end = (char *)stop;                                                                                      \
        return v;                                                                                                     \
    }

STRTO(strtof, float, __verify_lib_strtof)
STRTO(strtod, double, __verify_lib_strtod)
STRTO(strtold, long double, __verify_lib_strtold)

double atof(const char *s)
{
    const char *stop;
    return __verify_lib_strtod(s, &stop);
}

float nanf(const char *tag)
{
    const char *stop;
    unsigned long long v = __verify_lib_strtoull(tag, &stop, 0, 0, 64, 0);
    return float_nan(*stop == 0 ? v : 0);
}

double nan(const char *tag)
{
    const char *stop;
    unsigned long long v = __verify_lib_strtoull(tag, &stop, 0, 0, 64, 0);
    return double_nan(*stop == 0 ? v : 0);
}

long double nanl(const char *tag)
{
    const char *stop;
    unsigned long long v = __verify_lib_strtoull(tag, &stop, 0, 0, 64, 0);
    return long_double_nan(*stop == 0 ? v : 0);
}
