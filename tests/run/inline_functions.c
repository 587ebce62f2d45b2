// inline: C99 with the extern definition here, static inline, always_inline, noinline, gnu_inline, recursive inline.
// flags: -O2
#include "check.h"
inline int c99(int x) { return x + 1; }
extern inline int c99(int x);
static inline int hidden(int x) { static int calls; return x + ++calls; }
__attribute__((always_inline)) static inline int always(int n) { return n * 2; }
__attribute__((noinline)) static int never(int n) { return n * 3; }
static inline int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
static inline int even(int n);
static inline int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static inline int even(int n) { return n == 0 ? 1 : odd(n - 1); }
extern inline __attribute__((gnu_inline)) int gnu(int x) { return x - 1; }
int gnu(int x) { return x - 1; }
int main(void) {
    int (*p)(int) = c99;
    CHECK(c99(1) == 2 && p(2) == 3);
    CHECK(hidden(10) == 11 && hidden(10) == 12);
    CHECK(always(4) == 8 && never(4) == 12 && factorial(6) == 720 && even(10) && odd(7) && gnu(3) == 2);
    return DONE;
}
