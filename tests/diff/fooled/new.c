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
static const int table[4] = { 1, 2, 3, 5 };
static int (*const ops[2])(int) = { dec, inc };
// diff: bool_byte equal
int bool_byte(const struct flag *p) { return 4 - *(const unsigned char *)&p->b; }
// diff: callback not-equal
int callback(void) { call_me(bump); state = 1; return state; }
// diff: unseen_state not-equal
int unseen_state(void) { hidden = 1; ext(0); return 1; }
// diff: reenter not-equal
int reenter(int n) { reentered = n; ext(n); return n; }
// diff: pending changed
int pending(int *p, int *q, int n) { if (n < 0) return -1; *p = 1; *q = 2; return 0; }
// diff: ends_by_wrap equal
unsigned ends_by_wrap(unsigned n) { unsigned k = 0; for (unsigned i = 0; i < n; i++) k++; return k; }
// diff: char_counter not-equal
unsigned char_counter(unsigned n) { unsigned k = 0; return n; (void)k; }
// diff: no_progress changed
int no_progress(int n) { while (n != 0) n -= 2; return 0; }
// diff: waits not-equal
int waits(volatile int *f) { while (*f == 0 && *f == 0) ; return 1; }
// diff: spins not-equal
int spins(int n) { return 0; }
// diff: never not-equal
int never(int n) { return 0; }
// diff: union_low equal
unsigned union_low(union u *p) { p->h.lo = 1; return 1; }
// diff: falls changed
int falls(int n) { int r = 0; switch (n) { case 1: r += 1; break; case 2: r += 2; break; case 3: r = 9; default: r += 4; } return r; }
// diff: duff equal
int duff(int n) { int r = 0; n &= 3; if (n > 2) r += 5; if (n > 1) r += 7; if (n > 0) r += 9; return r; }
// diff: parse not-equal
long parse(const char *s) { long v = strtol(s, 0, 10); errno = 0; return errno ? -1 : v; }
// diff: root changed
double root(double x) { errno = 0; return x < 0 ? -1 : sqrt(x); }
// diff: keep_errno not-equal
int keep_errno(int n) { ext(n); return 0; }
// diff: bit_wrap equal
void bit_wrap(struct bits *p, unsigned v) { p->a = v & 7; }
// diff: bit_signed changed
int bit_signed(struct bits *p) { return p->c & 8; }
// diff: looked changed
int looked(unsigned i) { return i < 4 ? table[i] : 0; }
// diff: counted changed
int counted(void) { static int n = 6; return n++; }
// diff: which not-equal
int which(int (*f)(int)) { return f == fb; }
// diff: hand_over not-equal
void hand_over(void) { sink((const void *)fb); }
// diff: args changed
int args(int a, int b) { int y = note(b), x = note(a); return x - y; }
// diff: copy_self equal
void copy_self(struct big *a, struct big *b) { struct big t = *b; t.a[0] = 1; *a = t; }
// diff: through changed
int through(struct big *a, const struct big *b) { int r = b->a[1]; a->a[1] = 5; return r; }
// diff: param_escape2 not-equal
int param_escape2(int n) { int m = n; sink(&n); return m; }
// diff: padded changed
int padded(const struct pad *a, const struct pad *b) { return a->c == b->c && a->i == b->i; }
// diff: enum_all changed
int enum_all(enum e x) { switch (x) { case A: return 1; case B: return 2; default: return 3; } }
// diff: rotl equal
unsigned rotl(unsigned x, unsigned n) { return x << (n & 31) | x >> (-n & 31); }
// diff: reload changed
int reload(int *p, int *q) { int a = *p; *q = a + 1; return a + a; }
// diff: swap_xor changed
void swap_xor(int *a, int *b) { *a ^= *b; *b ^= *a; *a ^= *b; }
// diff: vol_cond not-equal
int vol_cond(int n) { return n ? port : 0; }
// diff: vol_store not-equal
void vol_store(int n) { port = n; }
// diff: collatz_dead not-equal
unsigned collatz_dead(unsigned n) { return 0; }
// diff: endless_call not-equal
// diff-slow: endless_call
void endless_call(int n) { for (;;) { ext(n); ext(n); } }
// diff: endless_if unknown
// diff-slow: endless_if
void endless_if(int n) { if (n) for (;;) ext(1); }
// diff: apply changed
int apply(int (*f)(int), int x) { return 2 * f(x); }
// diff: apply_order not-equal
int apply_order(int (*f)(int), int (*g)(int), int x) { int y = g(x); return f(x) + y; }
// diff: run_cb not-equal
int run_cb(int (*walk)(int (*)(int)), int x) { cb_state = x; walk(cb); return x; }
// diff: deep unknown
int deep(int n) { if (n == 0) return 0; deep(n - 1); return 0; }
// diff: one_way equal
void one_way(char *p, int *q) { *q = 7; *p = 7; }
// diff: ack equal
int ack(int m, int n) { if (!m) return 1 + n; if (!n) return ack(m - 1, 1); return ack(m - 1, ack(m, n - 1)); }
// diff: mul changed
unsigned mul(unsigned short a, unsigned short b) { return a * b; }
// diff: mul_small equal
unsigned mul_small(unsigned char a, unsigned char b) { return a * b; }
// diff: dangling changed
int dangling(int n) { int *p; { int x = n; p = &x; } n = *p; return n; }
// diff: clear changed
void clear(char *a, int n) { for (int i = 0; i != n; i++) a[i] = 0; }
// diff: drain equal
int drain(int n) { while (n != 0) { ext(n); n--; } return 0; }
// diff: drain2 not-equal
// diff-slow: drain2
int drain2(int n) { while (n > 0) { ext(n); n -= 1; if (n == 77777) ext(1); } return 0; }
// diff: write_exit changed
int write_exit(int *p, int n) { if (n) exit(3); *p = 2; return 0; }
// diff: write_call not-equal
int write_call(int *p, int n) { ext(n); *p = 2; return 0; }
// diff: local_seen not-equal
int local_seen(int n) { int x = n; sink(&x); ext(n); x = 7; return 0; }
// diff: dispatch changed
int dispatch(int k, int x) { return k >= 0 && k < 2 ? ops[k](x) : 0; }
// diff: tls not-equal
int tls(int n) { slot = n; ext(0); return n; }
// diff: neg changed
int neg(float f) { return bits_of(f) >> 31; }
// diff: cond_write changed
int cond_write(int *p, int c) { *p = c ? 1 : *p; return 0; }
// diff: vol_local not-equal
int vol_local(int n) { volatile int x = n; return 2 * x; }
// diff: search changed
int search(const char *s) { int i = 0; while (s[i] && s[i] != 'x') i++; return i; }
// diff: seq equal
int seq(int *p) { int a = *p; *p += 2; return a * 10 + a + 1; }
// diff: shift_guarded unknown
long shift_guarded(long x, int n) { return n >= 0 && n < 64 ? x >> n : 0; }
// diff: shift_known equal
long shift_known(long x, int n) { if ((unsigned)n > 63) return 0; return x >> n; }
