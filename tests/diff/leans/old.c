#include <stdatomic.h>
#include <stdio.h>
int ticks(atomic_int *p) { return atomic_fetch_add_explicit(p, 1, memory_order_relaxed); }
int caller(atomic_int *p, int x) { return (ticks(p) ^ x) & 7; }
int caller_of_caller(atomic_int *p) { return caller(p, 3); }
int other_code(atomic_int *p, int x) { if (x > 3) return ticks(p); return 0; }
static int doubled(int x) { return x & 1 ? 2 : 0; }
int of_even(int x) { return doubled(x & ~1); }
void says(int x) { fprintf(stderr, "number %d\n", x); }
void close_it(FILE *f) { fclose(f); }
