// Padding, packing, alignment, offsetof, container_of, anonymous members, arrays of structs, empty struct.
#include "check.h"
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
struct padded { char a; int b; char c; double d; short e; };
struct __attribute__((packed)) tight { char a; int b; short c; };
#pragma pack(push, 2)
struct pack2 { char a; long b; };
#pragma pack(pop)
struct aligned { char a; alignas(32) char b; };
struct anon { int kind; union { int i; struct { short lo, hi; }; double d; }; };
struct empty {};
struct list { struct list *next; };
struct item { int value; struct list link; };
#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))
static alignas(64) char buffer[3];
int main(void) {
    CHECK(offsetof(struct padded, b) == 4 && offsetof(struct padded, d) == 16 && sizeof(struct padded) == 32);
    CHECK(sizeof(struct tight) == 7 && offsetof(struct tight, c) == 5);
    CHECK(sizeof(struct pack2) == 10 && offsetof(struct pack2, b) == 2);
    CHECK(sizeof(struct aligned) == 64 && alignof(struct aligned) == 32);
    CHECK((uintptr_t)buffer % 64 == 0 && sizeof(struct empty) == 0);
    struct tight t[3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    int sum = 0;
    for (int i = 0; i < 3; i++) sum += t[i].b * 10 + t[i].c;
    CHECK(sum == 168 && t[1].a == 4);
    struct anon a = {.kind = 1, .i = 0x00020001};
    CHECK(a.lo == 1 && a.hi == 2);
    struct item one = {1, {0}}, two = {2, {&one.link}};
    struct list *l = &two.link;
    CHECK(container_of(l, struct item, link)->value == 2 && container_of(l->next, struct item, link)->value == 1);
    struct padded p = {1, 2, 3, 4, 5}, q;
    memcpy(&q, &p, sizeof q);
    CHECK(q.a == 1 && q.d == 4 && q.e == 5);
    struct { int n; struct { char c; int grid[2][2]; } in[2]; } deep = {3, {{'x', {{1, 2}, {3, 4}}}, {'y', {{5, 6}, {7, 8}}}}};
    CHECK(deep.in[1].grid[1][0] == 7 && deep.in[0].grid[0][1] == 2);
    return DONE;
}
