// C89: K&R definitions, implicit int, promotions of their arguments, declarations without prototypes.
// flags: -std=gnu89
#include "check.h"
static add(a, b) int a, b; { return a + b; }
static double half(x) float x; { return x / 2; }
static small(c, s) char c; short s; { return c * 100 + s; }
static text(s) char *s; { register n = 0; while (*s++) n++; return n; }
struct big { long v[4]; };
static long last(b) struct big b; { return b.v[3]; }
static unknown();
static int implicit_result(x) { return undeclared(x) + 1; }
int undeclared(x) int x; { return x * 3; }
static unknown(a, d) int a; double d; { return a + (int)d; }
int main() {
    struct big b = {{1, 2, 3, 4}};
    CHECK(add(2, 3) == 5);
    CHECK(half(3.0) == 1.5);
    CHECK(small('\002', 7) == 207);
    CHECK(text("four") == 4);
    CHECK(last(b) == 4);
    CHECK(implicit_result(4) == 13);
    CHECK(unknown(1, 2.5) == 3);
    return DONE;
}
