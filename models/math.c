/* <math.h>: functions whose value is a theorem about real numbers. The value is the host's, as double; the float forms round
 * it, the long double forms have only double's precision (C leaves the accuracy to the implementation).
 * errno as glibc sets it: EDOM for a NaN out of numbers, ERANGE for an infinity out of finite arguments and for an
 * underflow to zero. Bessel functions and exceptions flags (<fenv.h>) are not modelled. */
#include "math_internal.h"

#define BIG(x) ((x) > DBL_MAX || (x) < -DBL_MAX) /* infinite; false for NaN */

static double checked1(double x, double r, int may_underflow)
{
    if (r != r && x == x)
        errno = EDOM;
    else if (BIG(r) && !BIG(x))
        errno = ERANGE;
    else if (may_underflow && r == 0 && x != 0 && !BIG(x))
        errno = ERANGE;
    return r;
}

static double checked2(double x, double y, double r, int may_underflow)
{
    if (r != r && x == x && y == y)
        errno = EDOM;
    else if (BIG(r) && !BIG(x) && !BIG(y))
        errno = ERANGE;
    else if (may_underflow && r == 0 && x != 0 && !BIG(x) && !BIG(y))
        errno = ERANGE;
    return r;
}

/* A float form fails also where the double value is too large or too small for a float. */
static float float_checked(double x, double r, int may_underflow)
{
    float f = (float)r;
    if ((BIG(f) && !BIG(r)) || (may_underflow && f == 0 && r != 0))
        errno = ERANGE;
    return f;
}

#define FUNCTION1(name, op, underflow)                                                                                \
    double name(double x) { return checked1(x, __verify_math1(op, x), underflow); }                                   \
    float name##f(float x)                                                                                            \
    {                                                                                                                 \
        return float_checked(x, checked1(x, __verify_math1(op, x), underflow), underflow);                            \
    }                                                                                                                 \
    long double name##l(long double x) { return checked1((double)x, __verify_math1(op, (double)x), underflow); }

FUNCTION1(sin, VERIFY_MATH_SIN, 0)
FUNCTION1(cos, VERIFY_MATH_COS, 0)
FUNCTION1(tan, VERIFY_MATH_TAN, 0)
FUNCTION1(asin, VERIFY_MATH_ASIN, 0)
FUNCTION1(acos, VERIFY_MATH_ACOS, 0)
FUNCTION1(atan, VERIFY_MATH_ATAN, 0)
FUNCTION1(sinh, VERIFY_MATH_SINH, 0)
FUNCTION1(cosh, VERIFY_MATH_COSH, 0)
FUNCTION1(tanh, VERIFY_MATH_TANH, 0)
FUNCTION1(asinh, VERIFY_MATH_ASINH, 0)
FUNCTION1(acosh, VERIFY_MATH_ACOSH, 0)
FUNCTION1(atanh, VERIFY_MATH_ATANH, 0)
FUNCTION1(exp, VERIFY_MATH_EXP, 1)
FUNCTION1(exp2, VERIFY_MATH_EXP2, 1)
FUNCTION1(expm1, VERIFY_MATH_EXPM1, 0)
FUNCTION1(log, VERIFY_MATH_LOG, 0)
FUNCTION1(log2, VERIFY_MATH_LOG2, 0)
FUNCTION1(log10, VERIFY_MATH_LOG10, 0)
FUNCTION1(log1p, VERIFY_MATH_LOG1P, 0)
FUNCTION1(cbrt, VERIFY_MATH_CBRT, 0)
FUNCTION1(tgamma, VERIFY_MATH_TGAMMA, 1)
FUNCTION1(erf, VERIFY_MATH_ERF, 0)
FUNCTION1(erfc, VERIFY_MATH_ERFC, 1)

#define FUNCTION2(name, op, underflow)                                                                                \
    double name(double x, double y) { return checked2(x, y, __verify_math2(op, x, y), underflow); }                   \
    float name##f(float x, float y)                                                                                   \
    {                                                                                                                 \
        return float_checked(x, checked2(x, y, __verify_math2(op, x, y), underflow), underflow);                      \
    }

FUNCTION2(pow, VERIFY_MATH_POW, 1)
FUNCTION2(atan2, VERIFY_MATH_ATAN2, 1)
FUNCTION2(hypot, VERIFY_MATH_HYPOT, 0)
FUNCTION2(fmod, VERIFY_MATH_FMOD, 0)
FUNCTION2(remainder, VERIFY_MATH_REMAINDER, 0)
FUNCTION2(drem, VERIFY_MATH_REMAINDER, 0)

long double powl(long double x, long double y)
{
    return checked2((double)x, (double)y, __verify_math2(VERIFY_MATH_POW, (double)x, (double)y), 1);
}

long double atan2l(long double x, long double y)
{
    return __verify_math2(VERIFY_MATH_ATAN2, (double)x, (double)y);
}

long double hypotl(long double x, long double y)
{
    return checked2((double)x, (double)y, __verify_math2(VERIFY_MATH_HYPOT, (double)x, (double)y), 0);
}

double exp10(double x) { return checked1(x, __verify_math2(VERIFY_MATH_POW, 10, x), 1); }
float exp10f(float x) { return float_checked(x, checked1(x, __verify_math2(VERIFY_MATH_POW, 10, x), 1), 1); }
long double exp10l(long double x) { return checked1((double)x, __verify_math2(VERIFY_MATH_POW, 10, (double)x), 1); }

void sincos(double x, double *s, double *c)
{
    *s = checked1(x, __verify_math1(VERIFY_MATH_SIN, x), 0);
    *c = __verify_math1(VERIFY_MATH_COS, x);
}

void sincosf(float x, float *s, float *c)
{
    *s = (float)checked1(x, __verify_math1(VERIFY_MATH_SIN, x), 0);
    *c = (float)__verify_math1(VERIFY_MATH_COS, x);
}

void sincosl(long double x, long double *s, long double *c)
{
    *s = checked1((double)x, __verify_math1(VERIFY_MATH_SIN, (double)x), 0);
    *c = __verify_math1(VERIFY_MATH_COS, (double)x);
}

/* lgamma also tells the sign of gamma. */
int signgam;

static int gamma_sign(double x)
{
    if (x < 0 && !BIG(x)) {
        double below = __builtin_floor(x);
        return below != x && __verify_math2(VERIFY_MATH_FMOD, below, 2) != 0 ? -1 : 1;
    }
    return x == 0 && __builtin_signbit(x) ? -1 : 1;
}

static double log_gamma(double x, int *sign)
{
    *sign = gamma_sign(x);
    return checked1(x, __verify_math1(VERIFY_MATH_LGAMMA, x), 0);
}

double lgamma(double x) { return log_gamma(x, &signgam); }
float lgammaf(float x) { return float_checked(x, log_gamma(x, &signgam), 0); }
long double lgammal(long double x) { return log_gamma((double)x, &signgam); }
double gamma(double x) { return log_gamma(x, &signgam); }
double lgamma_r(double x, int *sign) { return log_gamma(x, sign); }
float lgammaf_r(float x, int *sign) { return float_checked(x, log_gamma(x, sign), 0); }
long double lgammal_r(long double x, int *sign) { return log_gamma((double)x, sign); }

double sqrt(double x)
{
    if (x < 0)
        errno = EDOM;
    return __builtin_sqrt(x);
}

float sqrtf(float x)
{
    if (x < 0)
        errno = EDOM;
    return __builtin_sqrtf(x);
}

long double sqrtl(long double x)
{
    if (x < 0)
        errno = EDOM;
    return __builtin_sqrtl(x);
}
