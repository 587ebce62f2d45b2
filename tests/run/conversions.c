// Integer promotions and conversions, shifts, mixed signs, wrap-around of unsigned, _Bool, char arithmetic.
#include "check.h"
#include <limits.h>
#include <stdint.h>
int main(void) {
    unsigned char uc = 255;
    signed char sc = -128;
    CHECK(uc + 1 == 256 && (unsigned char)(uc + 1) == 0 && -sc == 128 && (signed char)-sc == -128);
    CHECK(~uc == -256 && (uc << 4) == 4080 && (unsigned char)~uc == 0);
    CHECK(-1 > 0u && -1 < 0l && (unsigned)-1 == UINT_MAX && (long)-1 < 0u);
    CHECK((uint64_t)-1 == UINT64_MAX && (int64_t)(uint32_t)-1 == 4294967295ll && (int64_t)(int32_t)0x80000000 < 0);
    CHECK(UINT_MAX + 1 == 0 && 0u - 1 == UINT_MAX && UINT_MAX * UINT_MAX == 1);
    CHECK(-7 / 2 == -3 && -7 % 2 == -1 && 7 / -2 == -3 && 7 % -2 == 1 && -7 >> 1 == -4);
    CHECK((short)0x12345678 == 0x5678 && (signed char)0x1ff == -1 && (unsigned short)-1 == 65535);
    CHECK((_Bool)256 == 1 && (_Bool)0.5 && !(_Bool)0 && (int)(_Bool)-1 == 1);
    CHECK(sizeof('a') == 4 && sizeof(uc + uc) == 4 && sizeof(1 ? 1 : 1l) == 8);
    CHECK((1 ? -1 : 0u) > 0 && (uc > sc) && ((unsigned)sc > uc));
    uint16_t h = 65535;
    CHECK((uint32_t)h * h == 4294836225u);
    int i = 5;
    i += 3.7;
    CHECK(i == 8);
    uc = 250;
    uc += 10;
    CHECK(uc == 4);
    uc--;
    uc -= 5;
    CHECK(uc == 254);
    long long big = INT_MAX;
    big++;
    CHECK(big == 2147483648ll && (int)(big - 1) == INT_MAX);
    int x = 3, y = x++ + ++x;
    (void)y;
    CHECK(x == 5 && (x, 7) == 7 && !!x == 1 && !x == 0);
    CHECK((1, 2, 3) == 3 && (0 || 5) == 1 && (0 && 1) == 0);
    enum small { A = -1, B = 300 } e = B;
    CHECK(e == 300 && sizeof e == 4);
    CHECK(0b1011 == 11 && 077 == 63 && 0xFFu == 255 && 'A' + 1 == 'B');
    return DONE;
}
