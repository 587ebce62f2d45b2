// Reads and writes that are nearly the same: through pointers that may be one, volatile, behind an escape, of fewer bytes.
// diff: two_writes changed
// diff: read_first changed
// diff: moved_copy not-equal
// diff: copied_move equal
// diff: counted_not not-equal
// diff: early changed
// diff: after_escape not-equal
// diff: before_escape changed
// diff: dead_write equal
// diff: volatile_twice not-equal
// diff: volatile_order not-equal
// diff: volatile_writes not-equal
// diff: not_volatile equal
// diff: set_short changed
// diff: bits_masked equal
// diff: bits_other changed
// diff: pun equal
// diff: bounded changed
// diff: maybe_set equal
// diff: after_free changed
// diff: swapped changed
// diff: sum_in_place not-equal
// diff: inner not-equal
// diff: pointer_kept changed
// diff: never_one unknown
// diff: never_one_by_type unknown
// diff: never_one_in_struct unknown
// diff: own_copy equal
// diff: may_be_one not-equal
#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
void two_writes(int *a, int *b) { *b = 2; *a = 1; }
int read_first(int *a, int *b) { int r = *b; *a = 1; return r; }
void moved_copy(char *d, const char *s) { memcpy(d, s, 8); }
void copied_move(char *d, const char *s) { memmove(d, s, 8); }
int counted_not(void) { int n = 0; return n++; }
int state; int early(int *p) { if (!p) return 0; state = 1; return *p; }
void use(int *); void done(void); void after_escape(void) { int x = 1; use(&x); done(); }
void use(int *); void before_escape(void) { int x = 2; use(&x); }
void use(int *); void dead_write(void) { int x = 1; use(&x); }
static int *keep; void kept(int *p) { *p = 1; keep = p; } int *the_kept(void) { return keep; }
int volatile_twice(volatile unsigned *v) { return 2 * *v; }
int volatile_order(volatile int *a, volatile int *b) { int y = *b, x = *a; return x - y > 0; }
void volatile_writes(volatile int *v) { *v = 1; }
void not_volatile(int *v) { *v = 1; }
void set_short(char *p) { memset(p, 0, 3); }
struct bits { unsigned a : 3, b : 5; }; void bits_masked(struct bits *s, unsigned x) { s->a = x & 15; }
void bits_other(struct bits *s, unsigned x) { s->b = x & 3; }
unsigned pun(float x) { unsigned i; memcpy(&i, &x, sizeof i); return i; }
int bounded(const int *a, int n, int i) { if (i < 0 || i >= n) return -1; return i < 64 ? a[i & 0] : 0; }
int maybe_set(int c) { return c ? 1 : 0; }
int after_free(int *p) { free(p); return *p; }
void swapped(unsigned *a, unsigned *b) { *a ^= *b; *b ^= *a; *a ^= *b; }
void sum_in_place(unsigned *s, const unsigned *a) { *s += a[0] + a[1]; }
struct two { int a, b; }; int inner(struct two *p, struct two *q) { int r = q->b; p->b = p->b; p->a = 1; return q->a ? r : r; }
int *pointer_kept(int *a, int *b) { return b < a ? a : b; }
// What nobody may call with one pointer twice: no run shows a difference.
void never_one(int *restrict a, int *b) { *b = 2; *a = 1; }
typedef int *restrict own;
void never_one_by_type(int *a, own b) { *b = 2; *a = 1; }
struct apart { int *restrict a; };
void never_one_in_struct(struct apart x, struct apart y) { *y.a = 2; *x.a = 1; }
// Pointers to the same object: also those that stand in structures.
void may_be_one(const struct two *p, int *a) { int s = p->a + p->b; *a = s; }
struct large { int a[10]; };
int own_copy(struct large b) {  return b.a[2]; }
