/* Bits of the floating-point formats. */
#ifndef VERIFY_MODELS_MATH_INTERNAL_H
#define VERIFY_MODELS_MATH_INTERNAL_H

#include "internal.h"
#include <float.h>
#include <math.h>

union double_bits {
    double f;
    unsigned long long u;
};

union float_bits {
    float f;
    unsigned u;
};

static inline unsigned long long bits_of(double x)
{
    union double_bits b;
    b.f = x;
    return b.u;
}

static inline double double_of(unsigned long long u)
{
    union double_bits b;
    b.u = u;
    return b.f;
}

static inline unsigned bits_of_float(float x)
{
    union float_bits b;
    b.f = x;
    return b.u;
}

static inline float float_of(unsigned u)
{
    union float_bits b;
    b.u = u;
    return b.f;
}

/* The x87 format: an explicit leading bit, 16 bits of sign and exponent, then padding. */
#if LDBL_MANT_DIG == 64
struct long_double_parts {
    unsigned long long mantissa;
    unsigned short sign_exponent;
};

union long_double_bits {
    long double f;
    struct long_double_parts p;
};

static inline struct long_double_parts parts_of(long double x)
{
    union long_double_bits b;
    b.f = x;
    return b.p;
}

static inline long double long_double_of(struct long_double_parts p)
{
    union long_double_bits b;
    b.f = 0;
    b.p.mantissa = p.mantissa;
    b.p.sign_exponent = p.sign_exponent;
    return b.f;
}
#endif

#endif
