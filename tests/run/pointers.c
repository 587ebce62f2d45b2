// Pointers: differences, comparisons, one past the end, tagging, XOR links, arrays of arrays, restrict, casts.
#include "check.h"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
struct xnode { int v; uintptr_t link; };
static int walk(struct xnode *n) {
    uintptr_t before = 0;
    int s = 0;
    while (n) {
        s = s * 10 + n->v;
        struct xnode *next = (struct xnode *)(n->link ^ before);
        before = (uintptr_t)n;
        n = next;
    }
    return s;
}
static void copy(int n, int *restrict a, const int *restrict b) { while (n--) *a++ = *b++; }
int main(void) {
    int a[5] = {1, 2, 3, 4, 5}, *end = a + 5, *p;
    int s = 0;
    for (p = a; p != end; p++) s += *p;
    CHECK(s == 15 && end - a == 5 && p > a && a + 2 < end && &a[3] - &a[1] == 2);
    CHECK((char *)end - (char *)a == 20 && *--p == 5 && p[-1] == 4 && 3[a] == 4);
    uintptr_t tagged = (uintptr_t)&a[1] | 1;
    CHECK((tagged & 1) && *(int *)(tagged & ~(uintptr_t)1) == 2);
    struct xnode x = {1, 0}, y = {2, 0}, z = {3, 0};
    x.link = (uintptr_t)&y;
    y.link = (uintptr_t)&x ^ (uintptr_t)&z;
    z.link = (uintptr_t)&y;
    CHECK(walk(&x) == 123 && walk(&z) == 321);
    int m[3][4] = {{0}};
    m[1][3] = 7;
    int *flat = &m[0][0];
    (void)flat;
    CHECK(*(*(m + 1) + 3) == 7 && (int *)m + 7 == &m[1][3] && sizeof *m == 16);
    int (*row)[4] = &m[1];
    CHECK((*row)[3] == 7 && row[0][3] == 7 && (row - 1)[1][3] == 7);
    int b[5];
    copy(5, b, a);
    CHECK(!memcmp(a, b, sizeof a));
    int **pp = &(int *){a};
    **pp = 9;
    CHECK(a[0] == 9);
    unsigned char *bytes = (unsigned char *)&(uint32_t){0x01020304};
    CHECK(bytes[0] == 4 && bytes[3] == 1);
    CHECK((void *)0 == NULL && !(int *)0 && (uintptr_t)NULL == 0);
    int *h1 = malloc(4), *h2 = malloc(4);
    CHECK(h1 != h2 || !h1);
    free(h1);
    free(h2);
    const char *t = "abc";
    char *q = strchr(t, 'c');
    CHECK(q - t == 2 && (intptr_t)q - (intptr_t)t == 2);
    return DONE;
}
