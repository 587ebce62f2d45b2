/* <math.h>: functions that are exact by definition, on the bits or by instructions of the IR. */
#include "math_internal.h"

static long double split_l(long double x, int *exponent);
#undef fpclassify
#undef isnan
#undef isinf
#undef isfinite
#undef signbit
#undef finite

#define INSTRUCTION1(name)                                                                                            \
    double name(double x) { return __builtin_##name(x); }                                                             \
    float name##f(float x) { return __builtin_##name##f(x); }                                                         \
    long double name##l(long double x) { return __builtin_##name##l(x); }

INSTRUCTION1(fabs)
INSTRUCTION1(floor)
INSTRUCTION1(ceil)
INSTRUCTION1(trunc)
INSTRUCTION1(round)
INSTRUCTION1(rint)
INSTRUCTION1(nearbyint)

/* Ties to even, which is how rint rounds in the one rounding mode there is. */
double roundeven(double x) { return __builtin_rint(x); }
float roundevenf(float x) { return __builtin_rintf(x); }
long double roundevenl(long double x) { return __builtin_rintl(x); }

#define INSTRUCTION2(name)                                                                                            \
    double name(double x, double y) { return __builtin_##name(x, y); }                                                \
    float name##f(float x, float y) { return __builtin_##name##f(x, y); }                                             \
    long double name##l(long double x, long double y) { return __builtin_##name##l(x, y); }

INSTRUCTION2(copysign)
INSTRUCTION2(fmin)
INSTRUCTION2(fmax)

double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
long double fmal(long double x, long double y, long double z) { return __builtin_fmal(x, y, z); }

/* errno for a difference that is too large. */
#define DIFFERENCE(name, type, max)                                                                                   \
    type name(type x, type y)                                                                                         \
    {                                                                                                                 \
        if (x != x || y != y)                                                                                         \
            return x + y;                                                                                             \
        type r = x > y ? x - y : 0;                                                                                   \
        if (r > max && x <= max && y >= -max)                                                                         \
            errno = ERANGE;                                                                                           \
        return r;                                                                                                     \
    }
DIFFERENCE(fdim, double, DBL_MAX)
DIFFERENCE(fdimf, float, FLT_MAX)
DIFFERENCE(fdiml, long double, LDBL_MAX)

/* To integers: out of range gives the most negative value, as on x86-64. */
#define TO_INTEGER(name, type, least, rounding)                                                                       \
    type name(double x)                                                                                               \
    {                                                                                                                 \
        double r = __builtin_##rounding(x);                                                                           \
        return r >= (double)(least) && r < -(double)(least) ? (type)r : (least);                                      \
    }                                                                                                                 \
    type name##f(float x)                                                                                             \
    {                                                                                                                 \
        float r = __builtin_##rounding##f(x);                                                                         \
        return r >= (float)(least) && r < -(float)(least) ? (type)r : (least);                                        \
    }                                                                                                                 \
    type name##l(long double x)                                                                                       \
    {                                                                                                                 \
        long double r = __builtin_##rounding##l(x);                                                                   \
        return r >= (long double)(least) && r < -(long double)(least) ? (type)r : (least);                            \
    }

TO_INTEGER(lround, long, LONG_MIN, round)
TO_INTEGER(llround, long long, LLONG_MIN, round)
TO_INTEGER(lrint, long, LONG_MIN, rint)
TO_INTEGER(llrint, long long, LLONG_MIN, rint)

/* ---- Classification */

static int classify(double x)
{
    unsigned long long u = bits_of(x) << 1;
    if (u == 0)
        return FP_ZERO;
    if (u >> 53 == 0)
        return FP_SUBNORMAL;
    if (u >> 53 == 0x7ff)
        return u << 11 == 0 ? FP_INFINITE : FP_NAN;
    return FP_NORMAL;
}

static int classify_float(float x)
{
    return x != x ? FP_NAN : x == 0 ? FP_ZERO : x > FLT_MAX || x < -FLT_MAX ? FP_INFINITE
        : x < FLT_MIN && x > -FLT_MIN ? FP_SUBNORMAL : FP_NORMAL;
}

static int classify_long(long double x)
{
    return x != x ? FP_NAN : x == 0 ? FP_ZERO : x > LDBL_MAX || x < -LDBL_MAX ? FP_INFINITE
        : x < LDBL_MIN && x > -LDBL_MIN ? FP_SUBNORMAL : FP_NORMAL;
}

int __fpclassify(double x) { return classify(x); }
int __fpclassifyf(float x) { return classify_float(x); }
int __fpclassifyl(long double x) { return classify_long(x); }

int __signbit(double x) { return (int)(bits_of(x) >> 63); }
int __signbitf(float x) { return (int)(bits_of_float(x) >> 31); }
int __signbitl(long double x) { return __builtin_signbitl(x) != 0; }

#define CLASSES(suffix, type, max)                                                                                    \
    int __isnan##suffix(type x) { return x != x; }                                                                    \
    int isnan##suffix(type x) { return x != x; }                                                                      \
    int __isinf##suffix(type x) { return x > max ? 1 : x < -max ? -1 : 0; }                                           \
    int isinf##suffix(type x) { return x > max ? 1 : x < -max ? -1 : 0; }                                             \
    int __finite##suffix(type x) { return x >= -max && x <= max; }                                                    \
    int finite##suffix(type x) { return x >= -max && x <= max; }

CLASSES(, double, DBL_MAX)
CLASSES(f, float, FLT_MAX)
CLASSES(l, long double, LDBL_MAX)

/* ---- Scaling: one rounding only, also into the subnormal range. */

static double scale(double x, int n)
{
    if (n > 1023) {
        x *= 0x1p1023;
        n -= 1023;
        if (n > 1023) {
            x *= 0x1p1023;
            n -= 1023;
            if (n > 1023)
                n = 1023;
        }
    } else if (n < -1022) {
        x *= 0x1p-1022 * 0x1p53;
        n += 1022 - 53;
        if (n < -1022) {
            x *= 0x1p-1022 * 0x1p53;
            n += 1022 - 53;
            if (n < -1022)
                n = -1022;
        }
    }
    return x * double_of((unsigned long long)(0x3ff + n) << 52);
}

/* Exact in double, which has room for every intermediate result; one rounding at the end. */
static float scale_float(float x, int n)
{
    if (n > 400)
        n = 400;
    if (n < -400)
        n = -400;
    return (float)scale(x, n);
}

static long double scale_long(long double x, int n)
{
    if (n > 40000)
        n = 40000;
    if (n < -40000)
        n = -40000;
    while (n > 1000) {
        x *= 0x1p1000L;
        n -= 1000;
    }
    if (n < 0) {
        /* Down to the last step every result is normal or has been scaled past all digits. */
        int exponent;
        long double m = split_l(x, &exponent);
        if (m == 0 || m != m || m > 1 || m < -1)
            return x;
        long total = (long)exponent + n;
        if (total < LDBL_MIN_EXP - 80)
            total = LDBL_MIN_EXP - 80;
        long up = total < LDBL_MIN_EXP ? total - LDBL_MIN_EXP : 0; /* <= 0: how far below the normal range */
        for (long at = 0; at != total - up;) {
            long step = total - up - at;
            if (step > 1000)
                step = 1000;
            if (step < -1000)
                step = -1000;
            m *= step >= 0 ? (long double)double_of((unsigned long long)(0x3ff + step) << 52)
                           : 1 / (long double)double_of((unsigned long long)(0x3ff - step) << 52);
            at += step;
        }
        if (up != 0)
            m *= 1 / (long double)double_of((unsigned long long)(0x3ff - up) << 52);
        return m;
    }
    return x * (long double)double_of((unsigned long long)(0x3ff + n) << 52);
}

#define RANGE(type, max)                                                                                              \
    if (((r > max || r < -max) && x <= max && x >= -max) || (r == 0 && x != 0))                                       \
        errno = ERANGE;                                                                                               \
    return r;

#define CLAMP(n) ((n) > INT_MAX ? INT_MAX : (n) < INT_MIN ? INT_MIN : (int)(n))

#define SCALE(suffix, type, max, f)                                                                                   \
    type ldexp##suffix(type x, int n) { type r = f(x, n); RANGE(type, max) }                                          \
    type scalbn##suffix(type x, int n) { type r = f(x, n); RANGE(type, max) }                                         \
    type scalbln##suffix(type x, long n) { type r = f(x, CLAMP(n)); RANGE(type, max) }

SCALE(, double, DBL_MAX, scale)
SCALE(f, float, FLT_MAX, scale_float)
SCALE(l, long double, LDBL_MAX, scale_long)

static double split_(double x, int *exponent)
{
    int extra = 0;
    *exponent = 0;
    if (x == 0 || classify(x) == FP_NAN || classify(x) == FP_INFINITE)
        return x + x;
    if (classify(x) == FP_SUBNORMAL) {
        x *= 0x1p54;
        extra = 54;
    }
    unsigned long long u = bits_of(x);
    *exponent = (int)(u >> 52 & 0x7ff) - 1022 - extra;
    return double_of((u & 0x800fffffffffffffull) | 0x3fe0000000000000ull);
}

static float split_f(float x, int *exponent)
{
    return (float)split_(x, exponent);
}

#if LDBL_MANT_DIG == 64
static long double split_l(long double x, int *exponent)
{
    int extra = 0;
    *exponent = 0;
    if (x == 0 || x != x || x > LDBL_MAX || x < -LDBL_MAX)
        return x + x;
    if (x < LDBL_MIN && x > -LDBL_MIN) {
        x *= 0x1p65L;
        extra = 65;
    }
    struct long_double_parts p = parts_of(x);
    *exponent = (p.sign_exponent & 0x7fff) - 16382 - extra;
    p.sign_exponent = (unsigned short)((p.sign_exponent & 0x8000) | 16382);
    return long_double_of(p);
}
#else
static long double split_l(long double x, int *exponent)
{
    return split_((double)x, exponent);
}
#endif

double frexp(double x, int *exponent) { return split_(x, exponent); }
float frexpf(float x, int *exponent) { return split_f(x, exponent); }
long double frexpl(long double x, int *exponent) { return split_l(x, exponent); }

#define PARTS(suffix, type, max)                                                                                      \
    type modf##suffix(type x, type *whole)                                                                            \
    {                                                                                                                 \
        type w = __builtin_trunc##suffix(x);                                                                          \
        *whole = w;                                                                                                   \
        return __builtin_copysign##suffix(x > max || x < -max ? 0 : x - w, x);                                        \
    }                                                                                                                 \
    type logb##suffix(type x)                                                                                         \
    {                                                                                                                 \
        int e;                                                                                                        \
        if (x == 0)                                                                                                   \
            return -(type)INFINITY;                                                                                   \
        if (x != x || x > max || x < -max)                                                                            \
            return x * x;                                                                                             \
        (void)split_##suffix(x, &e);                                                                                   \
        return e - 1;                                                                                                 \
    }                                                                                                                 \
    int ilogb##suffix(type x)                                                                                         \
    {                                                                                                                 \
        int e;                                                                                                        \
        if (x == 0 || x != x || x > max || x < -max) {                                                                \
            errno = EDOM;                                                                                             \
            return x == 0 ? FP_ILOGB0 : x != x ? FP_ILOGBNAN : INT_MAX;                                               \
        }                                                                                                             \
        (void)split_##suffix(x, &e);                                                                                   \
        return e - 1;                                                                                                 \
    }                                                                                                                 \
    type significand##suffix(type x)                                                                                  \
    {                                                                                                                 \
        int e;                                                                                                        \
        if (x == 0 || x - x != 0)                                                                                     \
            errno = EDOM;                                                                                             \
        return 2 * split_##suffix(x, &e);                                                                              \
    }

PARTS(, double, DBL_MAX)
PARTS(f, float, FLT_MAX)
PARTS(l, long double, LDBL_MAX)

/* Remainders of long doubles by subtraction of scaled divisors, each exact. */
static long double mod_long(long double x, long double y)
{
    if (x != x || y != y)
        return x + y;
    if (y == 0 || x > LDBL_MAX || x < -LDBL_MAX) {
        errno = EDOM;
        return (x * y) / (x * y);
    }
    long double r = __builtin_fabsl(x), d = __builtin_fabsl(y);
    int er, ed;
    if (d > LDBL_MAX || r < d)
        return x;
    (void)split_l(d, &ed);
    while (r >= d) {
        (void)split_l(r, &er);
        long double t = scale_long(d, er - ed);
        if (t > r)
            t = scale_long(d, er - ed - 1);
        r -= t;
    }
    return __builtin_copysignl(r, x);
}

long double fmodl(long double x, long double y)
{
    return mod_long(x, y);
}

#define REMQUO(suffix, type, mod, large1, large2, small)                                                              \
    static type quotient_##suffix(type x, type y, int *quotient)                                                      \
    {                                                                                                                 \
        *quotient = 0;                                                                                                \
        if (x != x || y != y || y == 0 || x - x != 0)                                                                 \
            return (x * y) / (x * y);                                                                                 \
        int negative = (x < 0) != (y < 0), q = 0;                                                                     \
        type r = __builtin_fabs##suffix(x), d = __builtin_fabs##suffix(y);                                            \
        if (d - d != 0)                                                                                               \
            return x;                                                                                                 \
        if (d <= large1)                                                                                              \
            r = mod(r, 8 * d);                                                                                        \
        if (d <= large2 && r >= 4 * d) {                                                                              \
            r -= 4 * d;                                                                                               \
            q += 4;                                                                                                   \
        }                                                                                                             \
        if (d <= 2 * large2 && r >= 2 * d) {                                                                          \
            r -= 2 * d;                                                                                               \
            q += 2;                                                                                                   \
        }                                                                                                             \
        int again = 0;                                                                                                \
        if (d < small ? r + r > d : r > d / 2) {                                                                      \
            r -= d;                                                                                                   \
            q++;                                                                                                      \
            again = d < small ? r + r >= d : r >= d / 2;                                                              \
        }                                                                                                             \
        if (again) {                                                                                                  \
            r -= d;                                                                                                   \
            q++;                                                                                                      \
        }                                                                                                             \
        *quotient = negative ? -q : q;                                                                                \
        if (r == 0)                                                                                                   \
            r = 0;                                                                                                    \
        return x < 0 || (x == 0 && __builtin_signbit(x)) ? -r : r;                                                    \
    }                                                                                                                 \
    type remquo##suffix(type x, type y, int *quotient) { return quotient_##suffix(x, y, quotient); }

static double mod_double(double x, double y) { return __verify_math2(VERIFY_MATH_FMOD, x, y); }
static float mod_float(float x, float y) { return (float)__verify_math2(VERIFY_MATH_FMOD, x, y); }

REMQUO(, double, mod_double, 0x1p1020, 0x1p1021, 0x1p-1021)
REMQUO(f, float, mod_float, 0x1p124f, 0x1p125f, 0x1p-125f)
REMQUO(l, long double, mod_long, 0x1p16380L, 0x1p16381L, 0x1p-16381L)

long double remainderl(long double x, long double y)
{
    int q;
    if (y == 0 || (x - x != 0 && x == x && y == y))
        errno = EDOM;
    return quotient_l(x, y, &q);
}

/* ---- Neighbours */

double nextafter(double x, double y)
{
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    unsigned long long u = bits_of(x);
    double r;
    if (x == 0)
        return double_of(1 | (y < 0 ? 1ull << 63 : 0));
    r = double_of((x < y) == (x > 0) ? u + 1 : u - 1);
    if ((r > DBL_MAX || r < -DBL_MAX) || (r < DBL_MIN && r > -DBL_MIN))
        errno = ERANGE;
    return r;
}

float nextafterf(float x, float y)
{
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    unsigned u = bits_of_float(x);
    float r;
    if (x == 0)
        return float_of(1 | (y < 0 ? 1u << 31 : 0));
    r = float_of((x < y) == (x > 0) ? u + 1 : u - 1);
    if ((r > FLT_MAX || r < -FLT_MAX) || (r < FLT_MIN && r > -FLT_MIN))
        errno = ERANGE;
    return r;
}

/* ---- Rounding mode: to nearest, always. */

int fegetround(void)
{
    return 0;
}

int fesetround(int mode)
{
    if (mode != 0)
        __verify_unmodelled("a rounding mode other than to nearest");
    return 0;
}

double cabs(double _Complex z)
{
    return __verify_math2(VERIFY_MATH_HYPOT, __real__ z, __imag__ z);
}

double creal(double _Complex z) { return __real__ z; }
double cimag(double _Complex z) { return __imag__ z; }
float crealf(float _Complex z) { return __real__ z; }
float cimagf(float _Complex z) { return __imag__ z; }
