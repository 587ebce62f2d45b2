// C23 that gcc 12 does not have: nullptr, auto, constexpr, enums with a type, typeof_unqual.
// flags: -std=c2x
// native: clang
#include "check.h"
constexpr int size = 4;
enum byte : unsigned char { low, high = 255 };
static int is_null(const void *p) { return p == nullptr; }
int main(void) {
    auto x = 3.5;
    CHECK(sizeof x == 8 && x == 3.5);
    int a[size] = {1};
    CHECK(sizeof a == 16 && a[3] == 0);
    CHECK(is_null(nullptr) && !is_null(a));
    CHECK(sizeof(enum byte) == 1 && high == 255);
    const int c = 4;
    typeof_unqual(c) m = c;
    m++;
    CHECK(m == 5);
    return DONE;
}
