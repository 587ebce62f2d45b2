// alloca: in a loop it lives until the function returns; aligned; passed down; mixed with a VLA.
#include "check.h"
#include <alloca.h>
#include <stdint.h>
#include <string.h>
struct node { int v; struct node *next; };
static int list(int n) {
    struct node *head = 0;
    for (int i = 0; i < n; i++) {
        struct node *x = alloca(sizeof *x);
        x->v = i;
        x->next = head;
        head = x;
    }
    int s = 0;
    for (; head; head = head->next) s = s * 10 + head->v;
    return s;
}
static size_t fill(char *p, size_t n) { memset(p, 'x', n); return strnlen(p, n); }
static int mixed(int n) {
    int *a = alloca(n * sizeof *a);
    for (int i = 0; i < n; i++) { int v[i + 1]; v[i] = i; a[i] = v[i]; }
    return a[n - 1];
}
int main(void) {
    CHECK(list(4) == 3210);
    char *p = __builtin_alloca_with_align(10, 512);
    CHECK((uintptr_t)p % 64 == 0 && fill(p, 10) == 10);
    CHECK(mixed(5) == 4);
    return DONE;
}
