// Designated initialisers, compound literals, ranges, nested and overlapping designators, string initialisers.
#include "check.h"
#include <string.h>
struct point { int x, y; };
struct line { struct point a, b; const char *name; int tags[4]; };
static struct line global = {.b = {.y = 4, .x = 3}, .name = "g", .tags = {[2] = 7}};
static int sparse[10] = {[2 ... 4] = 9, [8] = 1, 2};
static const char *const words[] = {[1] = "one", [3] = "three"};
static struct point *static_literal = &(struct point){5, 6};
static union { int i; float f; unsigned char b[4]; } u = {.f = 1.0f};
static char exact[3] = "abc", longer[5] = "ab", infer[] = "hello";
static int sum(const int *p, int n) { int s = 0; while (n--) s += *p++; return s; }
static int use(struct point p) { return p.x * 10 + p.y; }
int main(void) {
    CHECK(global.a.x == 0 && global.b.x == 3 && global.b.y == 4 && global.tags[2] == 7 && global.tags[3] == 0);
    CHECK(sparse[1] == 0 && sparse[2] == 9 && sparse[4] == 9 && sparse[8] == 1 && sparse[9] == 2);
    CHECK(!words[0] && !strcmp(words[3], "three") && sizeof words / sizeof *words == 4);
    CHECK(static_literal->x == 5 && static_literal->y == 6);
    CHECK(u.i == 0x3f800000 && u.b[3] == 0x3f);
    CHECK(exact[2] == 'c' && longer[2] == 0 && longer[4] == 0 && sizeof infer == 6);
    CHECK(sum((int[]){1, 2, 3, 4}, 4) == 10);
    CHECK(use((struct point){.y = 2, .x = 1}) == 12);
    struct line l = {{1, 2}, .tags = {1, 2, 3, 4}, .a.y = 9};
    CHECK(l.a.x == 1 && l.a.y == 9 && l.b.x == 0 && !l.name && l.tags[3] == 4);
    struct point *last = 0;
    for (int i = 0; i < 3; i++) {
        struct point *now = &(struct point){i, i * i};
        CHECK(now->y == i * i);
        last = i == 2 ? now : 0;
    }
    (void)last;
    (&(struct point){0, 0})->x = 3;
    int matrix[2][3] = {{1}, {[1] = 5}};
    CHECK(matrix[0][0] == 1 && matrix[0][2] == 0 && matrix[1][1] == 5);
    struct point copy = l.b = (struct point){8, 9};
    CHECK(copy.x == 8 && l.b.y == 9);
    return DONE;
}
