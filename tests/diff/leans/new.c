// What a function leans on, when all that is unknown of it is something that it calls. And what is written counts of a
// function that nothing else needs to run before, whatever other functions do with files.
// diff: ticks unknown by atomic
// diff: caller unknown by its code is the same, but it uses `ticks`
// diff: caller_of_caller unknown by its code is the same, but it uses `caller`
// diff: other_code unknown by equal, if `ticks` is
// diff: of_even equal
// diff: says changed
#include <stdatomic.h>
#include <stdio.h>
int ticks(atomic_int *p) { return atomic_fetch_add(p, 1); }
int caller(atomic_int *p, int x) { return (ticks(p) ^ x) & 7; }
int caller_of_caller(atomic_int *p) { return caller(p, 3); }
int other_code(atomic_int *p, int x) { int r = 0; if (x > 3) r = ticks(p); return r; }
static int doubled(int x) { return x & 1 ? 3 : 0; }
int of_even(int x) { return doubled(x & ~1); }
void says(int x) { fprintf(stderr, "number: %d\n", x); }
void close_it(FILE *f) { fclose(f); }
