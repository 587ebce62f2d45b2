#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
void two_writes(int *a, int *b) { *a = 1; *b = 2; }
int read_first(int *a, int *b) { *a = 1; return *b; }
void moved_copy(char *d, const char *s) { memmove(d, s, 8); }
void copied_move(char *d, const char *s) { memcpy(d, s, 8); }
int counted_not(void) { static int n; return n++; }
int state; int early(int *p) { state = 1; if (!p) return 0; return *p; }
void use(int *); void done(void); void after_escape(void) { int x = 1; use(&x); x = 2; done(); }
void use(int *); void before_escape(void) { int x = 1; use(&x); }
void use(int *); void dead_write(void) { int x = 1; use(&x); x = 2; }
static int *keep; void kept(int *p) { keep = p; *p = 1; } int *the_kept(void) { return keep; }
int volatile_twice(volatile unsigned *v) { return *v + *v; }
int volatile_order(volatile int *a, volatile int *b) { int x = *a, y = *b; return x - y > 0; }
void volatile_writes(volatile int *v) { *v = 0; *v = 1; }
void not_volatile(int *v) { *v = 0; *v = 1; }
void set_short(char *p) { memset(p, 0, 4); }
struct bits { unsigned a : 3, b : 5; }; void bits_masked(struct bits *s, unsigned x) { s->a = x; }
void bits_other(struct bits *s, unsigned x) { s->a = x & 3; }
unsigned pun(float x) { union { float f; unsigned i; } u; u.f = x; return u.i; }
int bounded(const int *a, int n, int i) { if (i < 0 || i > n) return -1; return i < 64 ? a[i & 0] : 0; }
int maybe_set(int c) { int x; if (c) x = 1; return c ? x : 0; }
int after_free(int *p) { int x = *p; free(p); return x; }
void swapped(unsigned *a, unsigned *b) { unsigned t = *a; *a = *b; *b = t; }
void sum_in_place(unsigned *s, const unsigned *a) { *s += a[0]; *s += a[1]; }
struct two { int a, b; }; int inner(struct two *p, struct two *q) { p->a = 1; return q->b; }
int *pointer_kept(int *a, int *b) { return a < b ? a : b; }
// What nobody may call with one pointer twice: no run shows a difference.
void never_one(int *restrict a, int *b) { *a = 1; *b = 2; }
typedef int *restrict own;
void never_one_by_type(int *a, own b) { *a = 1; *b = 2; }
struct apart { int *restrict a; };
void never_one_in_struct(struct apart x, struct apart y) { *x.a = 1; *y.a = 2; }
// Pointers to the same object: also those that stand in structures.
void may_be_one(const struct two *p, int *a) { *a = p->a; *a += p->b; }
struct large { int a[10]; };
int own_copy(struct large b) { b.a[3] = 5; return b.a[2]; }
