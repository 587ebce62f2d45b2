// Reads of one memory at addresses that are the same, by other computations.
#include <stdbool.h>
// diff: chosen equal
int chosen(bool b, const int *t) { return t[(int)b]; }
// diff: masked equal
int masked(const int *a, unsigned i) { return a[i % 4]; }
// diff: one_or_other equal
int one_or_other(int *p, int *q) { (void)p; return *q; }
// diff: last_of equal
int last_of(const int *a, unsigned n) { return n - 2 < 998 ? *(a + n - 1) : 0; }
// diff: after_call equal
int after_call(const int *a, unsigned i, void (*f)(void)) { f(); return a[i - i / 8 * 8]; }

// diff: chosen_other changed
int chosen_other(bool b, const int *t) { return t[!b]; }
// diff: masked_more changed
int masked_more(const int *a, unsigned i) { return a[i % 3]; }
// diff: one_or_none changed
int one_or_none(int *p, int *q) { (void)q; return *p; }
// diff: over_write changed
int over_write(int *a, unsigned i, int *p) { *p = 1; return a[i % 4]; }
// diff: over_call not-equal
int over_call(const int *a, unsigned i, void (*f)(void)) { f(); return a[i % 8]; }
// diff: part_of not-equal
int part_of(const unsigned char *p, unsigned i) { return *(const unsigned short *)(p + i % 4) & 0xff; }
