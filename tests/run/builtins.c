// Builtins: overflow, bit counting, byte order, object size, constant, expect, memory functions, rotation.
// flags: -O1
#include "check.h"
#include <limits.h>
#include <stdint.h>
static int overflow(int a, int b, int *r) { return __builtin_add_overflow(a, b, r); }
int main(void) {
    int r;
    CHECK(overflow(INT_MAX, 1, &r) && r == INT_MIN && !overflow(1, 2, &r) && r == 3);
    unsigned char c;
    CHECK(__builtin_mul_overflow(20, 20, &c) && c == 144 && !__builtin_mul_overflow(5, 5, &c) && c == 25);
    long l;
    CHECK(__builtin_sub_overflow(LONG_MIN, 1L, &l) && l == LONG_MAX);
    unsigned long long u;
    CHECK(__builtin_add_overflow(-1, 0u, &u) && !__builtin_mul_overflow(1u << 31, 4u, &u) && u == 1ull << 33);
    CHECK(__builtin_clz(1) == 31 && __builtin_ctz(8) == 3 && __builtin_popcount(0xff0f) == 12);
    CHECK(__builtin_clzll(1) == 63 && __builtin_ctzl(1ul << 40) == 40 && __builtin_popcountll(~0ull) == 64);
    CHECK(__builtin_ffs(0) == 0 && __builtin_ffs(8) == 4 && __builtin_parity(7) == 1 && __builtin_clrsb(-1) == 31);
    CHECK(__builtin_bswap32(0x01020304) == 0x04030201 && __builtin_bswap64(1) == 1ull << 56 && __builtin_bswap16(1) == 256);
    char buf[10];
    CHECK(__builtin_object_size(buf, 0) == 10 && __builtin_object_size(buf + 4, 1) == 6);
    CHECK(__builtin_constant_p(3 + 4) && __builtin_expect(r == 3, 1));
    CHECK(__builtin_strlen("four") == 4 && __builtin_abs(-3) == 3 && __builtin_labs(-3l) == 3);
    __builtin_memset(buf, 'a', 10);
    __builtin_memcpy(buf, "xyz", 3);
    __builtin_memmove(buf + 1, buf, 5);
    CHECK(buf[0] == 'x' && buf[1] == 'x' && buf[3] == 'z' && buf[9] == 'a' && !__builtin_memcmp(buf, "xxyz", 4));
    uint32_t v = 0x80000001u;
    CHECK((v << 3 | v >> 29) == 0xc && (v >> 1 | v << 31) == 0xc0000000u);
    if (r == 99) __builtin_unreachable();
    CHECK(__builtin_fabs(-2.0) == 2 && __builtin_isnan(__builtin_nan("")) && __builtin_huge_val() > 1e308);
    int *p = __builtin_assume_aligned(&r, 4);
    CHECK(*p == 3);
    return DONE;
}
