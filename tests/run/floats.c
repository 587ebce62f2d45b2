// Floating point: rounding, NaN, infinities, signed zero, conversions, long double, comparisons, hexadecimal.
// flags: -ffp-contract=off
#include "check.h"
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
static double zero;
static uint32_t bits(float f) { uint32_t u; memcpy(&u, &f, 4); return u; }
int main(void) {
    double nan = zero / zero, inf = 1 / zero;
    CHECK(nan != nan && !(nan < 1) && !(nan >= 1) && inf > DBL_MAX && -inf < 0);
    CHECK(isnan(nan) && isinf(inf) && !isfinite(inf) && signbit(-zero));
    CHECK(-zero == zero && 1 / -zero == -inf);
    CHECK(0.1 + 0.2 != 0.3 && 0.1f + 0.2f == 0.3f);
    CHECK((int)2.9 == 2 && (int)-2.9 == -2 && (unsigned char)200.7 == 200 && (long)1e15 == 1000000000000000);
    CHECK((float)16777217 == 16777216.0f && (double)9007199254740993 == 9007199254740992.0);
    CHECK((double)0xffffffffffffffffull == 18446744073709551616.0 && (uint64_t)1.8e19 == 18000000000000000000ull);
    CHECK(0x1.8p3 == 12 && 0x1p-1074 > 0 && 0x1p-1074 / 2 == 0);
    CHECK(bits(1.5f) == 0x3fc00000 && bits(-0.0f) == 0x80000000);
    long double l = 1.0L;
    for (int i = 0; i < 63; i++) l /= 2;
    CHECK(1.0L + l != 1.0L && (double)(1.0L + l) == 1.0);
    CHECK(sizeof(long double) == 16 && LDBL_MANT_DIG == 64);
    CHECK(fabs(-3.5) == 3.5 && floor(-1.5) == -2 && ceil(1.2) == 2 && trunc(-1.7) == -1 && sqrt(81) == 9);
    CHECK(fmod(7.5, 2) == 1.5 && copysign(3, -0.0) == -3 && fmin(nan, 2) == 2 && fma(2, 3, 4) == 10);
    CHECK(round(2.5) == 3 && rint(2.5) == 2 && lround(-2.5) == -3 && ldexp(0.75, 4) == 12);
    int e;
    CHECK(frexp(12, &e) == 0.75 && e == 4);
    float acc = 0;
    for (int i = 0; i < 10; i++) acc += 0.1f;
    CHECK(acc != 1.0f && acc > 0.99999f);
    CHECK((1.0f / 3) * 3 == 1.0f && (float)(1.0 / 3) != 1.0 / 3);
    _Bool b = 0.1;
    CHECK(b && !(_Bool)0.0);
    CHECK(!(nan == nan) && (nan ? 1 : 0));
    return DONE;
}
