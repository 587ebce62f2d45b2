// Bit-fields: widths, signedness, neighbours untouched, zero width, _Bool, enum, long long, in unions, increments.
#include "check.h"
#include <string.h>
enum colour { red, green, blue = 5 };
struct mixed {
    unsigned a : 1, b : 2, c : 29;
    int s3 : 3;
    unsigned : 0;
    unsigned char u5 : 5;
    signed char s4 : 4;
    _Bool flag : 1;
    enum colour col : 3;
    long long big : 40;
    unsigned long long rest : 24;
    unsigned full : 32;
};
struct __attribute__((packed)) packed { unsigned a : 3; unsigned long long b : 50; unsigned c : 11; char tail; };
union view { struct { unsigned lo : 4, hi : 4; } n; unsigned char byte; };
struct unnamed { unsigned a : 4; unsigned : 4; unsigned b : 8; };
static struct mixed global = {1, 2, 3, -1, 17, -8, 1, blue, -1234567890123 / 4, 0xabcdef, 0xffffffff};
int main(void) {
    CHECK(global.a == 1 && global.b == 2 && global.c == 3 && global.s3 == -1 && global.u5 == 17 && global.s4 == -8);
    CHECK(global.flag && global.col == blue && global.big == -308641972530 && global.rest == 0xabcdef && global.full == ~0u);
    struct mixed m = global;
    m.b++;
    CHECK(m.b == 3 && m.a == 1 && m.c == 3);
    m.b++;
    CHECK(m.b == 0 && m.a == 1 && m.c == 3);
    m.s3 = 3;
    CHECK(m.s3 == 3);
    m.s3 += 1;
    CHECK(m.s3 == -4);
    CHECK((m.c = 0x3fffffff) == 0x1fffffff);
    m.flag = 2;
    CHECK(m.flag == 1);
    m.big = 1ll << 38;
    CHECK(m.big == 1ll << 38 && m.rest == 0xabcdef);
    CHECK(m.b - 1 < 0); /* promoted to int: it fits */
    struct packed p = {5, 1ull << 49, 2047, 9};
    CHECK(sizeof p == 9 && p.a == 5 && p.b == 1ull << 49 && p.c == 2047 && p.tail == 9);
    p.b -= 1;
    CHECK(p.b == (1ull << 49) - 1 && p.a == 5 && p.c == 2047);
    union view v = {.byte = 0xa7};
    CHECK(v.n.lo == 7 && v.n.hi == 10);
    v.n.hi = 3;
    CHECK(v.byte == 0x37);
    struct unnamed u;
    memset(&u, 0xff, sizeof u);
    u.a = 1;
    u.b = 2;
    CHECK(u.a == 1 && u.b == 2 && sizeof u == 4);
    struct mixed *q = &m;
    q->u5 = q->s4 = -3;
    CHECK(q->s4 == -3 && q->u5 == 29);
    return DONE;
}
