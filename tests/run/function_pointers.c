// Function pointers: tables, in structs, as results, compared, cast and back, callbacks with state, void (*)().
#include "check.h"
#include <stdlib.h>
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
typedef int (*binary)(int, int);
static binary choose(char c) { return c == '+' ? add : c == '-' ? sub : NULL; }
static int (*returns_pointer(int n))(int, int) { return n ? add : sub; }
struct ops { const char *name; binary f; struct { void (*on)(void *, int); void *state; } hook; };
static void count(void *s, int v) { *(int *)s += v; }
static int total;
static struct ops table[] = {{"add", add, {count, &total}}, {"sub", sub, {0, 0}}};
static void each(int n, void (*f)(void *, int), void *s) { for (int i = 0; i < n; i++) f(s, i); }
static int down(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }
typedef void generic(void);
int main(void) {
    CHECK(choose('+')(3, 4) == 7 && (*choose('-'))(3, 4) == -1 && choose('*') == NULL);
    CHECK(returns_pointer(1) == add && returns_pointer(0) != add && (**&add)(1, 1) == 2);
    table[0].hook.on(table[0].hook.state, 5);
    CHECK(total == 5 && table[1].f(5, 2) == 3);
    int sum = 0;
    each(5, count, &sum);
    CHECK(sum == 10);
    generic *g = (generic *)add;
    CHECK(((binary)g)(2, 2) == 4);
    void *v = (void *)sub;
    CHECK(((binary)v)(9, 1) == 8);
    int a[] = {3, 9, 1, 7};
    qsort(a, 4, sizeof *a, down);
    CHECK(a[0] == 9 && a[3] == 1);
    int key = 7;
    CHECK(*(int *)bsearch(&key, a, 4, sizeof *a, down) == 7);
    binary two[2][2] = {{add, sub}, {sub, add}};
    CHECK(two[1][0](1, 2) == -1);
    return DONE;
}
