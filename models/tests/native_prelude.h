/* Included first in every model when it is compiled with gcc for the differential test: gcc turns __builtin_memcpy into a
 * call of memcpy, which is the model itself; here it must be the host's. */
#include <stddef.h>
void *native_memcpy(void *, const void *, size_t);
void *native_memmove(void *, const void *, size_t);
void *native_memset(void *, int, size_t);
#define __builtin_memcpy native_memcpy
#define __builtin_memmove native_memmove
#define __builtin_memset native_memset
/* Likewise the floating-point builtins that gcc may turn into calls. */
double native_sqrt(double);
#define __builtin_sqrt native_sqrt
float native_sqrtf(float);
#define __builtin_sqrtf native_sqrtf
long double native_sqrtl(long double);
#define __builtin_sqrtl native_sqrtl
double native_fabs(double);
#define __builtin_fabs native_fabs
float native_fabsf(float);
#define __builtin_fabsf native_fabsf
long double native_fabsl(long double);
#define __builtin_fabsl native_fabsl
double native_floor(double);
#define __builtin_floor native_floor
float native_floorf(float);
#define __builtin_floorf native_floorf
long double native_floorl(long double);
#define __builtin_floorl native_floorl
double native_ceil(double);
#define __builtin_ceil native_ceil
float native_ceilf(float);
#define __builtin_ceilf native_ceilf
long double native_ceill(long double);
#define __builtin_ceill native_ceill
double native_trunc(double);
#define __builtin_trunc native_trunc
float native_truncf(float);
#define __builtin_truncf native_truncf
long double native_truncl(long double);
#define __builtin_truncl native_truncl
double native_round(double);
#define __builtin_round native_round
float native_roundf(float);
#define __builtin_roundf native_roundf
long double native_roundl(long double);
#define __builtin_roundl native_roundl
double native_rint(double);
#define __builtin_rint native_rint
float native_rintf(float);
#define __builtin_rintf native_rintf
long double native_rintl(long double);
#define __builtin_rintl native_rintl
double native_nearbyint(double);
#define __builtin_nearbyint native_nearbyint
float native_nearbyintf(float);
#define __builtin_nearbyintf native_nearbyintf
long double native_nearbyintl(long double);
#define __builtin_nearbyintl native_nearbyintl
double native_copysign(double, double);
#define __builtin_copysign native_copysign
float native_copysignf(float, float);
#define __builtin_copysignf native_copysignf
long double native_copysignl(long double, long double);
#define __builtin_copysignl native_copysignl
double native_fmin(double, double);
#define __builtin_fmin native_fmin
float native_fminf(float, float);
#define __builtin_fminf native_fminf
long double native_fminl(long double, long double);
#define __builtin_fminl native_fminl
double native_fmax(double, double);
#define __builtin_fmax native_fmax
float native_fmaxf(float, float);
#define __builtin_fmaxf native_fmaxf
long double native_fmaxl(long double, long double);
#define __builtin_fmaxl native_fmaxl
double native_fma(double, double, double);
#define __builtin_fma native_fma
float native_fmaf(float, float, float);
#define __builtin_fmaf native_fmaf
long double native_fmal(long double, long double, long double);
#define __builtin_fmal native_fmal
