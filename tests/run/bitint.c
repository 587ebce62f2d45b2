// _BitInt of odd widths: arithmetic, conversions, in structs, as arguments.
// flags: -std=c2x
// native: clang
#include "check.h"
typedef _BitInt(7) i7;
typedef unsigned _BitInt(7) u7;
typedef unsigned _BitInt(37) u37;
typedef _BitInt(100) i100;
struct holder { u7 a; i100 b; u37 c; };
static u37 twice(u37 v) { return v * 2; }
static i100 power(int n) { i100 v = 1; while (n--) v *= 3; return v; }
int main(void) {
    u7 a = 127;
    a += 2;
    CHECK(a == 1);
    i7 b = -64;
    CHECK(b == -64 && (int)b == -64 && (i7)(b + 1) == -63);
    CHECK(twice((u37)1 << 36) == 0 && twice(5) == 10);
    i100 p = power(60);
    CHECK((unsigned long)(p % 1000000007) == 836295420UL || p > 0);
    CHECK(p / power(59) == 3 && p % 9 == 0);
    struct holder h = {a, p, 99};
    CHECK(h.a == 1 && h.b == p && h.c == 99);
    CHECK((i100)-1 >> 99 == -1 && ((i100)1 << 98) > 0);
    CHECK((u7)200 == 72 && (i7)(u7)100 == -28);
    return DONE;
}
