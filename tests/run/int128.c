// __int128: arithmetic, shifts, division, comparisons, conversions with floats, arguments.
#include "check.h"
typedef __int128 i128;
typedef unsigned __int128 u128;
static u128 mul(unsigned long a, unsigned long b) { return (u128)a * b; }
static i128 pass(int a, i128 b, int c, i128 d) { return a + b + c + d; }
static unsigned long mod(u128 v, unsigned long m) { return (unsigned long)(v % m); }
int main(void) {
    u128 p = mul(~0ul, ~0ul);
    CHECK((unsigned long)p == 1 && (unsigned long)(p >> 64) == ~0ul - 1);
    i128 n = -5;
    CHECK(n / 2 == -2 && n % 2 == -1 && n >> 1 == -3 && n < 0);
    CHECK(((i128)1 << 100) > (i128)1e30 && ((i128)1 << 99) < (i128)1e30);
    CHECK(mod(((u128)1 << 127) + 12345, 1000000007ul) == (unsigned long)((((u128)1 << 127) + 12345) % 1000000007ul));
    CHECK(((u128)7 << 70) / ((u128)1 << 70) == 7);
    CHECK((double)((i128)1 << 80) == 1208925819614629174706176.0);
    CHECK((i128)-1e20 == -(i128)100000000000000000 * 1000);
    CHECK(pass(1, (i128)1 << 90, 2, -((i128)1 << 90)) == 3);
    CHECK((unsigned long)((u128)~(u128)0 >> 127) == 1);
    struct { char c; i128 v; } s = {1, -9};
    CHECK(s.v == -9 && sizeof s == 32);
    i128 a[2] = {1, 2};
    a[1] *= a[1] + a[0];
    CHECK(a[1] == 6);
    return DONE;
}
