#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int promoted_sum(unsigned char a, unsigned char b) { return (a + b) / 2; }
int promoted_low(unsigned char a, unsigned char b) { return (a + b) & 0xff; }
int half_signed(int x) { return x / 2; }
unsigned half_unsigned(unsigned x) { return x / 2; }
int next_is_more(int x) { return x + 1 > x; }
int less_by_difference(int x, int y) { return x < y; }
int less_from_difference(int x, int y) { return x - y < 0; }
double zero_kept(double x) { return x == 0 ? 0.0 : x; }
int not_less(double a, double b) { return !(a < b); }
int is_nan(double x) { return x != x; }
float sum_of_three(float a, float b, float c) { return (a + b) + c; }
float twice_float(float a) { return a * 2; }
double minus_float(double x) { return 0.0 - x; }
unsigned double_halved(unsigned x) { return x * 2 / 2; }
int narrow_char(int x) { return (signed char)x; }
long one_type(int c, int a, unsigned b) { return c ? a : b; }
_Bool as_bool(int x) { return x; }
int rest_of_four(int x) { return x % 4; }
int odd(int x) { return x % 2 != 0; }
int odd_by_one(int x) { return x % 2 == 1; }
unsigned absolute(int x) { return x < 0 ? -x : x; }
unsigned absolute_back(int x) { return x < 0 ? 0u - x : x; }
unsigned rotated(unsigned x, unsigned n) { return x << n | x >> (32 - n); }
unsigned middle(unsigned a, unsigned b) { return (a + b) / 2; }
int float_to_int(float x) { return (int)(x + 0.5f); }
int compared_mixed(int a, unsigned b) { return a < b; }
unsigned low_bit(unsigned x) { return x & -x; }
double float_min(double a, double b) { return a < b ? a : b; }
