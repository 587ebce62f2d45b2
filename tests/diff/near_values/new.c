// Pairs of expressions that are one bit away from each other, or that look different and are not.
// diff: promoted_sum changed
// diff: promoted_low equal
// diff: half_signed changed
// diff: half_unsigned equal
// diff: next_is_more equal
// diff: less_by_difference changed
// diff: less_from_difference equal
// diff: zero_kept changed
// diff: not_less changed
// diff: is_nan equal
// diff: sum_of_three changed
// diff: minus_float changed
// diff: double_halved changed
// diff: narrow_char changed
// diff: one_type changed
// diff: as_bool changed
// diff: rest_of_four changed
// diff: odd equal
// diff: odd_by_one changed
// diff: absolute equal
// diff: absolute_back changed
// diff: rotated equal
// diff: middle changed
// diff: float_to_int changed
// diff: compared_mixed changed
// diff: low_bit equal
// diff: float_min changed
#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int promoted_sum(unsigned char a, unsigned char b) { unsigned char s = a + b; return s / 2; }
int promoted_low(unsigned char a, unsigned char b) { unsigned char s = a + b; return s; }
int half_signed(int x) { return x >> 1; }
unsigned half_unsigned(unsigned x) { return x >> 1; }
int next_is_more(int x) { return 1; }
int less_by_difference(int x, int y) { return x - y < 0; }
int less_from_difference(int x, int y) { return x < y; }
double zero_kept(double x) { return x; }
int not_less(double a, double b) { return a >= b; }
int is_nan(double x) { return __builtin_isnan(x) != 0; }
float sum_of_three(float a, float b, float c) { return a + (b + c); }
float twice_float(float a) { return a + a; }
double minus_float(double x) { return -x; }
unsigned double_halved(unsigned x) { return x; }
int narrow_char(int x) { return (unsigned char)x; }
long one_type(int c, int a, unsigned b) { if (c) return a; return b; }
_Bool as_bool(int x) { return (unsigned char)x; }
int rest_of_four(int x) { return x & 3; }
int odd(int x) { return x & 1; }
int odd_by_one(int x) { return x & 1; }
unsigned absolute(int x) { return x < 0 ? 0u - x : x; }
unsigned absolute_back(int x) { return x < 0 ? -x : x; }
unsigned rotated(unsigned x, unsigned n) { return x << (n & 31) | x >> ((32 - n) & 31); }
unsigned middle(unsigned a, unsigned b) { return a + (b - a) / 2; }
int float_to_int(float x) { return (int)(x + 0.5); }
int compared_mixed(int a, unsigned b) { return (long)a < (long)b; }
unsigned low_bit(unsigned x) { return x & (~x + 1); }
double float_min(double a, double b) { return b < a ? b : a; }
