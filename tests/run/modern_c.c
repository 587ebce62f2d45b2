// C11 to C23 as both compilers have it: _Generic, _Static_assert, noreturn, typeof, binary constants, attributes.
// flags: -std=gnu2x
#include "check.h"
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#define KIND(x) _Generic((x), int: 1, unsigned: 2, char *: 3, const char *: 4, double: 5, default: 9)
_Static_assert(sizeof(int) == 4);
_Static_assert(CHAR_BIT == 8, "bytes");
[[noreturn]] static void leave(int n) { exit(n); }
[[nodiscard]] static int strict(void) { return 6; }
static int unnamed(int, int b) { return b; }
static int empty_parameters() { return 8; }
enum { wide = 0b1111'0000 };
int main(void) {
    CHECK(KIND(1) == 1 && KIND(1u) == 2 && KIND("x") == 3 && KIND((const char *)"x") == 4 && KIND(1.0) == 5 && KIND(1l) == 9);
    CHECK(strict() == 6 && unnamed(1, 2) == 2 && empty_parameters() == 8);
    typeof(strict()) v = 3;
    CHECK(v == 3 && wide == 240);
    int zero[3] = {};
    CHECK(zero[2] == 0);
    switch (v) {
    case 3: v++; [[fallthrough]];
    case 4: v++;
    }
    CHECK(v == 5);
    bool b = true;
    CHECK(b && sizeof(bool) == 1 && !false);
    if (failures) leave(1);
    label: ;
    int after = 2;
    CHECK(after == 2);
    return 0;
}
