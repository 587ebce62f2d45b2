// Structs by value in every class of the x86-64 calling convention, returned, nested, and called through pointers.
#include "check.h"
typedef struct { char c; } s1;
typedef struct { char c[3]; } s3;
typedef struct { short a; int b; } s8;
typedef struct { long a; char b; } s16;
typedef struct { long a, b, c; } s24;
typedef struct { float x, y; } f2;
typedef struct { float x, y, z; } f3;
typedef struct { double x, y; } d2;
typedef struct { double x; long n; } mixed;
typedef struct { long n; float x; } mixed2;
typedef struct { long double v; } ld;
typedef struct { int v[5]; } arr;
typedef struct { f2 a; s8 b; } nest;
typedef struct { struct { char a; } in; union { float f; int i; } u; } un;
typedef struct { unsigned a : 3, b : 13; int c : 5; } bits;
typedef struct { __int128 v; } wide;
typedef struct { char c[16]; } c16;
typedef struct { char c[17]; } c17;
static s1 r1(s1 v) { v.c++; return v; }
static s3 r3(s3 v) { v.c[2]++; return v; }
static s8 r8(s8 v) { v.b++; return v; }
static s16 r16(s16 v) { v.b++; return v; }
static s24 r24(s24 v) { v.c++; return v; }
static f2 rf2(f2 v) { v.y += 1; return v; }
static f3 rf3(f3 v) { v.z += 1; return v; }
static d2 rd2(d2 v) { v.y += 1; return v; }
static mixed rm(mixed v) { v.n++; v.x *= 2; return v; }
static mixed2 rm2(mixed2 v) { v.n++; v.x *= 2; return v; }
static ld rld(ld v) { v.v += 1; return v; }
static arr ra(arr v) { v.v[4]++; return v; }
static nest rn(nest v) { v.a.x += 1; v.b.b++; return v; }
static un ru(un v) { v.u.i++; v.in.a++; return v; }
static bits rb(bits v) { v.b++; v.c--; return v; }
static wide rw(wide v) { v.v++; return v; }
static c16 rc16(c16 v) { v.c[15]++; return v; }
static c17 rc17(c17 v) { v.c[16]++; return v; }
/* More than the registers hold: the rest goes to the stack. */
static long many(s16 a, s16 b, s16 c, s24 d, s16 e, int f, d2 g, double h, s8 i) {
    return a.a + b.a * 2 + c.a * 3 + d.c * 4 + e.a * 5 + f * 6 + (long)g.y * 7 + (long)h * 8 + i.b * 9;
}
static d2 (*volatile through)(d2) = rd2;
static s24 (*volatile through24)(s24) = r24;
int main(void) {
    CHECK(r1((s1){4}).c == 5);
    CHECK(r3((s3){{1, 2, 3}}).c[2] == 4 && r3((s3){{1, 2, 3}}).c[0] == 1);
    CHECK(r8((s8){1, 2}).b == 3 && r8((s8){7, 2}).a == 7);
    CHECK(r16((s16){10, 2}).b == 3 && r16((s16){10, 2}).a == 10);
    CHECK(r24((s24){1, 2, 3}).c == 4);
    CHECK(rf2((f2){1, 2}).y == 3 && rf3((f3){1, 2, 3}).z == 4 && rf3((f3){1, 2, 3}).x == 1);
    CHECK(rd2((d2){1, 2}).y == 3 && through((d2){1, 5}).y == 6 && through24((s24){1, 1, 1}).c == 2);
    CHECK(rm((mixed){1.5, 2}).x == 3 && rm((mixed){1.5, 2}).n == 3);
    CHECK(rm2((mixed2){2, 1.5f}).x == 3 && rm2((mixed2){2, 1}).n == 3);
    CHECK(rld((ld){2}).v == 3);
    CHECK(ra((arr){{0, 0, 0, 0, 4}}).v[4] == 5);
    CHECK(rn((nest){{1, 2}, {3, 4}}).b.b == 5 && rn((nest){{1, 2}, {3, 4}}).a.x == 2);
    CHECK(ru((un){{1}, {.i = 8}}).u.i == 9);
    bits b = rb((bits){7, 100, -3});
    CHECK(b.a == 7 && b.b == 101 && b.c == -4);
    CHECK(rw((wide){(__int128)1 << 100}).v == ((__int128)1 << 100) + 1);
    CHECK(rc16((c16){"123456789012345"}).c[15] == 1 && rc17((c17){"1234567890123456"}).c[16] == 1);
    CHECK(many((s16){1, 0}, (s16){1, 0}, (s16){1, 0}, (s24){0, 0, 1}, (s16){1, 0}, 1, (d2){0, 1}, 1, (s8){0, 1}) == 45);
    s24 a = r24(r24((s24){1, 2, 3})), c = a;
    c.a = 9;
    CHECK(a.c == 5 && a.a == 1 && c.c == 5);
    return DONE;
}
