// Switch: case ranges, fall-through, default in the middle, 64-bit and negative cases, Duff's device, nested.
#include "check.h"
#include <limits.h>
static int range(int c) {
    switch (c) {
    case '0' ... '9': return 1;
    case 'a' ... 'f': case 'A' ... 'F': return 2;
    case INT_MIN ... -1: return 3;
    default: return 0;
    }
}
static int fall(int n) {
    int r = 0;
    switch (n) {
    case 3: r += 3; /* fall through */
    default: r += 100; /* fall through */
    case 2: r += 2; break;
    case 1: r += 1;
    }
    return r;
}
static int wide(unsigned long long v) {
    switch (v) {
    case 0x8000000000000000ull: return 1;
    case 0xffffffffffffffffull: return 2;
    case 5: return 3;
    }
    return 4;
}
static void duff(char *to, const char *from, int count) {
    int n = (count + 7) / 8;
    switch (count % 8) {
    case 0: do { *to++ = *from++;
    case 7: *to++ = *from++;
    case 6: *to++ = *from++;
    case 5: *to++ = *from++;
    case 4: *to++ = *from++;
    case 3: *to++ = *from++;
    case 2: *to++ = *from++;
    case 1: *to++ = *from++;
            } while (--n > 0);
    }
}
static int nested(int a, int b) {
    switch (a) {
    case 1:
        switch (b) { case 1: return 11; case 2: break; default: return 19; }
        return 12;
    case 2: { int x = b; if (0) { case 3: x = 7; } return 20 + x; }
    }
    return 0;
}
static int narrow(unsigned char c) { switch (c) { case 255: return 1; case 128: return 2; } return 0; }
static int boolean(_Bool b) { switch (b) { case 0: return 10; case 1: return 11; } return 12; }
int main(void) {
    CHECK(range('7') == 1 && range('b') == 2 && range('F') == 2 && range(-5) == 3 && range('g') == 0);
    CHECK(fall(3) == 105 && fall(9) == 102 && fall(2) == 2 && fall(1) == 1);
    CHECK(wide(1ull << 63) == 1 && wide(-1ll) == 2 && wide(5) == 3 && wide(6) == 4);
    char to[20] = {0};
    duff(to, "abcdefghijklm", 13);
    CHECK(to[0] == 'a' && to[12] == 'm' && to[13] == 0);
    CHECK(nested(1, 1) == 11 && nested(1, 2) == 12 && nested(1, 3) == 19 && nested(2, 5) == 25 && nested(3, 1) == 27);
    CHECK(narrow((unsigned char)-1) == 1 && narrow((unsigned char)128) == 2);
    CHECK(boolean(5) == 11 && boolean(0) == 10);
    return DONE;
}
