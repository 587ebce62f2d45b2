// Statement expressions, typeof, omitted middle operand, zero-length arrays, void arithmetic, __auto_type, __func__.
#include "check.h"
#include <string.h>
#define MAX(a, b) ({ __auto_type a_ = (a); __auto_type b_ = (b); a_ > b_ ? a_ : b_; })
#define SWAP(a, b) do { __typeof__(a) t_ = (a); (a) = (b); (b) = t_; } while (0)
struct pair { int a, b; };
struct tail { int n; int items[0]; };
static int calls;
static int next(void) { return ++calls; }
static const char *name(void) { return __func__; }
static int loop_in_expression(int n) {
    return ({ int s = 0; for (int i = 1; i <= n; i++) { if (i == 4) continue; s += i; } s; });
}
static struct pair make(int v) { return ({ struct pair p = {v, v + 1}; p; }); }
int main(void) {
    int i = 3;
    CHECK(MAX(i++, 2) == 3 && i == 4);
    double x = 1.5, y = 2.5;
    SWAP(x, y);
    CHECK(x == 2.5 && y == 1.5);
    CHECK((next() ?: 9) == 1 && calls == 1 && (0 ?: 9) == 9);
    CHECK(sizeof(struct tail) == sizeof(int) && sizeof(void) == 1);
    char buf[4] = "abc";
    void *v = buf;
    v += 2;
    CHECK(*(char *)v == 'c');
    CHECK(!strcmp(name(), "name"));
    CHECK(loop_in_expression(5) == 11);
    CHECK(make(4).b == 5);
    CHECK(({ goto skip; skip: 7; }) == 7);
    CHECK(__builtin_choose_expr(sizeof(long) == 8, 1, "x") == 1);
    CHECK(__builtin_types_compatible_p(int, __typeof__(i)) && !__builtin_types_compatible_p(int, long));
    return DONE;
}
