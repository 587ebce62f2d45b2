// What could fool a comparison: what unknown code does in between, ends of loops and calls, what may be one object,
// conversions, writes before a way out, values that are none.
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
extern int ext(int);
extern void sink(const void *);
extern void call_me(void (*)(void));
struct flag { bool b; unsigned char c; };
struct pad { char c; int i; };
union u { unsigned w; struct { unsigned short lo, hi; } h; unsigned char b[4]; };
struct bits { unsigned a : 3, b : 5; int c : 4; };
struct big { int a[8]; };
enum e { A, B, C };
union fu { float f; unsigned u; };
volatile int port;
static int state, hidden, reentered, cb_state, order[2], at;
static __thread int slot;
static void bump(void) { state++; }
static int note(int x) { order[at++ & 1] = x; return x; }
static int cb(int x) { cb_state += x; return cb_state; }
static int fa(int x) { return x + 1; }
static int fb(int x) { return 1 + x; }
static int inc(int x) { return x + 1; }
static int dec(int x) { return x - 1; }
unsigned bits_of(float f) { union fu x; x.f = f; return x.u; }
static const int table[4] = { 1, 2, 3, 4 };
static int (*const ops[2])(int) = { inc, dec };
int bool_byte(const struct flag *p) { return p->b ? 3 : 4; }
int callback(void) { state = 1; call_me(bump); return state; }
int unseen_state(void) { hidden = 1; ext(0); return hidden; }
int reenter(int n) { reentered = n; ext(n); return reentered; }
int pending(int *p, int *q, int n) { *p = 1; if (n < 0) return -1; *q = 2; return 0; }
unsigned ends_by_wrap(unsigned n) { unsigned k = 0; for (unsigned i = 0; i != n; i++) k++; return k; }
unsigned char_counter(unsigned n) { unsigned k = 0; for (unsigned char i = 0; i < n; i++) k++; return n; }
int no_progress(int n) { while (n > 0) n -= 2; return 0; }
int waits(volatile int *f) { while (*f == 0) ; return 1; }
int spins(int n) { for (;;) { if (n == 0) break; } return n; }
int never(int n) { return n == 0 ? 0 : never(n); }
unsigned union_low(union u *p) { p->h.lo = 1; return p->w & 0xffff; }
int falls(int n) { int r = 0; switch (n) { case 1: r += 1; case 2: r += 2; break; case 3: r = 9; default: r += 4; } return r; }
int duff(int n) { int r = 0; switch (n & 3) { case 3: r += 5; case 2: r += 7; case 1: r += 9; case 0: ; } return r; }
long parse(const char *s) { errno = 0; long v = strtol(s, 0, 10); return errno ? -1 : v; }
double root(double x) { errno = 0; double r = sqrt(x); return errno ? -1 : r; }
int keep_errno(int n) { int e = errno; ext(n); errno = e; return 0; }
void bit_wrap(struct bits *p, unsigned v) { p->a = v; }
int bit_signed(struct bits *p) { return p->c < 0; }
int looked(unsigned i) { return i < 4 ? table[i] : 0; }
int counted(void) { static int n = 5; return n++; }
int which(int (*f)(int)) { return f == fa; }
void hand_over(void) { sink((const void *)fa); }
int args(int a, int b) { int x = note(a), y = note(b); return x - y; }
void copy_self(struct big *a, struct big *b) { *a = *b; a->a[0] = 1; }
int through(struct big *a, const struct big *b) { a->a[1] = 5; return b->a[1]; }
int param_escape2(int n) { sink(&n); return n; }
int padded(const struct pad *a, const struct pad *b) { return memcmp(a, b, sizeof *a) == 0; }
int enum_all(enum e x) { switch (x) { case A: return 1; case B: return 2; case C: return 3; } return 0; }
unsigned rotl(unsigned x, unsigned n) { n &= 31; return n ? x << n | x >> (32 - n) : x; }
int reload(int *p, int *q) { int a = *p; *q = a + 1; return *p + a; }
void swap_xor(int *a, int *b) { int t = *a; *a = *b; *b = t; }
int vol_cond(int n) { int v = port; return n ? v : 0; }
void vol_store(int n) { port = n; port = n; }
unsigned collatz_dead(unsigned n) { while (n != 1) n = n % 2 ? 3 * n + 1 : n / 2; return 0; }
void endless_call(int n) { for (;;) ext(n); }
void endless_if(int n) { while (n) ext(1); }
int apply(int (*f)(int), int x) { return f(x) + f(x); }
int apply_order(int (*f)(int), int (*g)(int), int x) { return f(x) + g(x); }
int run_cb(int (*walk)(int (*)(int)), int x) { cb_state = x; walk(cb); return cb_state; }
int deep(int n) { if (n == 0) return 0; return deep(n - 1); }
void one_way(char *p, int *q) { *q = 7; *p = (char)*q; }
int ack(int m, int n) { if (m == 0) return n + 1; if (n == 0) return ack(m - 1, 1); return ack(m - 1, ack(m, n - 1)); }
unsigned mul(unsigned short a, unsigned short b) { return (unsigned)a * b; }
unsigned mul_small(unsigned char a, unsigned char b) { return (unsigned)a * b; }
int dangling(int n) { int *p; { int x = n; p = &x; n = *p; } return n; }
void clear(char *a, int n) { for (int i = 0; i < n; i++) a[i] = 0; }
int drain(int n) { while (n != 0) { ext(n); n--; } return n; }
int drain2(int n) { while (n > 0) { ext(n); n--; } return 0; }
int write_exit(int *p, int n) { *p = 1; if (n) exit(3); *p = 2; return 0; }
int write_call(int *p, int n) { *p = 1; ext(n); *p = 2; return 0; }
int local_seen(int n) { int x = n; sink(&x); x = 7; ext(n); return 0; }
int dispatch(int k, int x) { return k >= 0 && k < 2 ? ops[k](x) : 0; }
int tls(int n) { slot = n; ext(0); return slot; }
int neg(float f) { return f < 0; }
int cond_write(int *p, int c) { if (c) *p = 1; return 0; }
int vol_local(int n) { volatile int x = n; return x + x; }
int search(const char *s) { int i = 0; while (s[i] != 'x') i++; return i; }
int seq(int *p) { int a = (*p)++; int b = (*p)++; return a * 10 + b; }
long shift_guarded(long x, int n) { return x >> n; }
long shift_known(long x, int n) { return n >= 0 && n < 64 ? x >> n : 0; }
