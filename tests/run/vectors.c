// The vector extension: arithmetic, comparisons, subscripts, shuffles, conversions, as arguments.
#include "check.h"
typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef unsigned char b16 __attribute__((vector_size(16)));
typedef double d2 __attribute__((vector_size(16)));
static v4 add(v4 a, v4 b) { return a + b; }
static int sum(v4 v) { int s = 0; for (int i = 0; i < 4; i++) s += v[i]; return s; }
int main(void) {
    v4 a = {1, 2, 3, 4}, b = {10, 20, 30, 40};
    v4 c = add(a, b);
    CHECK(c[0] == 11 && c[3] == 44 && sum(c) == 110);
    v4 less = a < (v4){2, 2, 2, 9};
    CHECK(less[0] == -1 && less[1] == 0 && less[2] == 0 && less[3] == -1);
    CHECK(sum(a * 2) == 20 && sum(-a) == -10 && sum(a << 1) == 20 && sum(b / a) == 40 && sum(b % (a + 2)) == 5);
    a[2] = 100;
    CHECK(a[2] == 100 && (a ^ a)[1] == 0);
    f4 f = {0.5f, 1, 2, 4};
    f = f * f + 1;
    CHECK(f[0] == 1.25f && f[3] == 17);
    v4 r = __builtin_shufflevector(a, b, 3, 2, 4, 0);
    CHECK(r[0] == 4 && r[1] == 100 && r[2] == 10 && r[3] == 1);
    v4 fi = __builtin_convertvector(f, v4);
    CHECK(fi[0] == 1 && fi[3] == 17);
    b16 bytes = (b16)(v4){0x01020304, 0, 0, -1};
    CHECK(bytes[0] == 4 && bytes[3] == 1 && bytes[12] == 255);
    bytes += 2;
    CHECK(bytes[12] == 1);
    d2 d = {1.5, -2};
    d = -d;
    CHECK(d[0] == -1.5 && d[1] == 2);
    v4 array[2] = {a, b};
    CHECK(sum(array[1]) == 100 && ((int *)array)[5] == 20);
    return DONE;
}
