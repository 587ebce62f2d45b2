// Reads of one memory at addresses that are the same, by other computations.
#include <stdbool.h>
int chosen(bool b, const int *t) { return b ? t[1] : t[0]; }
int masked(const int *a, unsigned i) { return a[i & 3]; }
int one_or_other(int *p, int *q) { return p == q ? *p : *q; }
int last_of(const int *a, unsigned n) { return n > 1 && n < 1000 ? a[n - 1] : 0; }
int after_call(const int *a, unsigned i, void (*f)(void)) { f(); return a[i & 7]; }

int chosen_other(bool b, const int *t) { return b ? t[1] : t[0]; }
int masked_more(const int *a, unsigned i) { return a[i & 3]; }
int one_or_none(int *p, int *q) { return p == q ? *p : *q; }
int over_write(int *a, unsigned i, int *p) { int x = a[i & 3]; *p = 1; return x; }
int over_call(const int *a, unsigned i, void (*f)(void)) { int x = a[i & 7]; f(); return x; }
int part_of(const unsigned char *p, unsigned i) { return p[i & 3]; }
