#include <stdlib.h>
#include <string.h>
int computes(int) __attribute__((const));
int looks(const char *) __attribute__((pure));
static int before;
static int first = 1;
int once(int x) {
    return (computes(x) & 7) + (computes(x) & 7);
}
int swapped(int x, int y) {
    int a = computes(x), b = computes(y);
    return a ^ b;
}
int unused(int x) {
    computes(x);
    return x;
}
int other_argument(int x) { return computes(x); }
int pure_once(const char *s) {
    return (looks(s) & 7) + (looks(s) & 7);
}
int counts(int x) {
    
    return x;
}
int counted(int x) {
    static int calls;
    calls = x;
    return x;
}
int renamed(int x) { return before += x & 1; }
int begins(void) { return first; }
void *cleared(void) {
    void *p = malloc(16);
    if (p)
        memset(p, 0, 16);
    return p;
}
int fails(void) {
    void *p = malloc(16);
    if (!p)
        return 1;
    free(p);
    return 0;
}
int unchecked(void) {
    int *p = malloc(sizeof *p);
    if (!p)
        return 1;
    *p = 0;
    free(p);
    return 0;
}
