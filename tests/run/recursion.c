// Recursion: Ackermann, mutual, a tree built and torn down, permutations through a shared array, deep recursion.
#include "check.h"
#include <stdlib.h>
struct tree { int key; struct tree *kid[2]; };
static unsigned ack(unsigned m, unsigned n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
static struct tree *insert(struct tree *t, int k) {
    if (!t) {
        t = calloc(1, sizeof *t);
        if (t) t->key = k;
        return t;
    }
    t->kid[k > t->key] = insert(t->kid[k > t->key], k);
    return t;
}
static int depth(const struct tree *t) { if (!t) return 0; int a = depth(t->kid[0]), b = depth(t->kid[1]); return 1 + (a > b ? a : b); }
static int sum(const struct tree *t) { return t ? t->key + sum(t->kid[0]) + sum(t->kid[1]) : 0; }
static void drop(struct tree *t) { if (t) { drop(t->kid[0]); drop(t->kid[1]); free(t); } }
static int permutations(int *a, int n, int at) {
    if (at == n) return a[0] < a[n - 1];
    int c = 0;
    for (int i = at; i < n; i++) {
        int t = a[at]; a[at] = a[i]; a[i] = t;
        c += permutations(a, n, at + 1);
        t = a[at]; a[at] = a[i]; a[i] = t;
    }
    return c;
}
static int deep(int n) { return n == 0 ? 0 : 1 + deep(n - 1); }
int main(void) {
    CHECK(ack(2, 3) == 9);
    struct tree *t = 0;
    int keys[] = {5, 2, 8, 1, 9, 3};
    for (int i = 0; i < 6; i++) t = insert(t, keys[i]);
    CHECK(depth(t) == 3 && sum(t) == 28);
    drop(t);
    int a[4] = {1, 2, 3, 4};
    CHECK(permutations(a, 4, 0) == 12);
    CHECK(deep(3000) == 3000);
    return DONE;
}
