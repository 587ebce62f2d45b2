// Unions: reading another member, structs in unions, transparent unions, pointers through them, tagged values.
#include "check.h"
#include <stdint.h>
#include <string.h>
union number { uint32_t u; int32_t i; float f; uint8_t b[4]; struct { uint16_t lo, hi; } h; };
struct value { enum { INT, REAL, TEXT } tag; union { long i; double r; const char *t; } u; };
typedef union { int *ip; unsigned *up; } any __attribute__((transparent_union));
static long show(struct value v) { return v.tag == INT ? v.u.i : v.tag == REAL ? (long)v.u.r : (long)strlen(v.u.t); }
static int read_any(any a) { return *a.ip; }
static uint64_t bits(double d) { union { double d; uint64_t u; } x = {d}; return x.u; }
int main(void) {
    union number n = {.f = -2.5f};
    CHECK(n.u == 0xc0200000u && n.i < 0 && n.b[3] == 0xc0 && n.h.hi == 0xc020);
    n.b[0] = 1;
    CHECK(n.u == 0xc0200001u && n.f != -2.5f);
    CHECK(show((struct value){INT, {.i = 4}}) == 4 && show((struct value){REAL, {.r = 2.75}}) == 2);
    CHECK(show((struct value){TEXT, {.t = "abc"}}) == 3);
    unsigned un = 6;
    CHECK(read_any(&un) == 6);
    CHECK(bits(1.0) == 0x3ff0000000000000ull);
    union { char c[8]; struct { int a; short b; } s; } copy = {.c = "abcdefg"}, other = copy;
    CHECK(other.s.a == 0x64636261 && other.s.b == 0x6665);
    return DONE;
}
