// Small functions that differ on one input out of very many, found by the solver or not at all, but never overlooked.
// diff: n01 not-equal
// diff: n02 not-equal
// diff: n03 not-equal
// diff: n04 not-equal
// diff: n05 not-equal
// diff: n06 not-equal
// diff: n07 not-equal
// diff: n08 not-equal
// diff: n09 not-equal
// diff: n10 not-equal
// diff: n11 not-equal
// diff: n12 not-equal
// diff: n13 not-equal
// diff: n14 not-equal
// diff: n15 not-equal
// diff: n16 not-equal
// diff: n17 not-equal
// diff: n18 not-equal
// diff: n19 not-equal
// diff: n20 not-equal
// diff: n21 not-equal
// diff: n22 not-equal
// diff: n23 not-equal
// diff: n24 not-equal
// diff: n25 not-equal
// diff: n26 not-equal
// diff: n27 not-equal
// diff: n28 not-equal
// diff: n29 not-equal
// diff: n30 not-equal
// diff: n31 not-equal
// diff: n32 not-equal
// diff: n33 not-equal
// diff: n34 not-equal
// diff: n35 not-equal
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <errno.h>
#include <setjmp.h>
#include <math.h>
#define H(a) ((a) * 2654435761u == 0x37ab1233u)
void ext(int); int extr(int); void extp(void *); int rd(const void *);
struct s3 { int a, b, c; }; struct pad { char c; int i; };
union u { int i; float f; unsigned char b[4]; };
struct bits { unsigned a : 3; int b : 5; unsigned c : 24; };
enum color { R, G, B };
int gv; static int sv; int arr[16]; volatile int vol; _Thread_local int tls;
int n01(unsigned a, int *p, int *q) { *p = 1; *q = 2; return H(a) ? 1 : *p; }
int n02(unsigned a, struct s3 *p, struct s3 *q) { if (H(a)) { int x = q->b, y = q->a; p->a = x; p->b = y; } else { p->a = q->b; p->b = q->a; } return 0; }
int n03(unsigned a, struct s3 *p) { struct s3 t = *p; p->a = t.b; return H(a) ? p->a : t.a; }
int n04(unsigned a, struct pad *p, struct pad *q) { if (H(a)) *p = *q; else { p->c = q->c; p->i = q->i; } return 0; }
int n05(unsigned a, union u *p, float x) { p->f = x; return H(a) ? (int)p->f : p->i; }
int n06(unsigned a, struct bits *p, int x) { p->b = x; return H(a) ? x : p->b; }
int n07(unsigned a, float x, float y) { return H(a) ? !(x < y) && !(x > y) : x == y; }
double n08(unsigned a, double x) { return H(a) ? x : x + 0.0; }
double n09(unsigned a, double x) { return H(a) ? x - 0.0 * x : x * 1.0; }
int n10(unsigned a, double x) { return H(a) ? 0 : x != x; }
int n11(unsigned a, signed char c) { return H(a) ? c / 2 : c >> 1; }
int n12(unsigned a, unsigned short x, unsigned short y) { return H(a) ? (unsigned short)(x * 2) < y : x * 2 < y; }
long n13(unsigned a, int x) { return H(a) ? (long)((unsigned)x * 2) : (long)x * 2; }
unsigned n14(unsigned a, unsigned char c) { return H(a) ? (unsigned)(signed char)c << 24 & 0xfeffffffu : (unsigned)c << 24; }
int n15(unsigned a, int n) { int s = 0; for (int i = 0; H(a) ? i <= n : i < n; i++) s ^= arr[i & 15]; return s; }
int n16(unsigned a, int n) { int s = 0; for (unsigned i = 0; i < (unsigned)n; i++) { s ^= i; if (s == 77 && !H(a)) break; } return s; }
int n17(unsigned a) { if (H(a)) { gv = 2; ext(1); } else { ext(1); gv = 2; } return 0; }
int n18(unsigned a) { int x = gv; ext(1); return H(a) ? gv : x; }
int n19(unsigned a, int *p) { if (H(a)) gv = 1; if (!p) return -1; gv = 1; return *p; }
int n20(unsigned a) { int x = 5; extp(&x); x = 6; ext(0); return H(a) ? 6 : x; }
static int cnt(void) { static int k; return ++k; } int n21(unsigned a) { if (H(a)) cnt(); return cnt() + 0 * a; }
static jmp_buf jb; int n22(unsigned a, int x) { if (setjmp(jb)) return 1; return H(a) ? x + 1u : x; }
int n23(unsigned a, int gw) { return H(a) ? gv : gw; }
int n24(unsigned a, enum color c) { switch (c) { case R: return 1; case G: return H(a) ? 3 : 2; default: return 3; } }
#define SQ(x) ((x) * (x))
int n25(unsigned a, unsigned x) { return (H(a) ? x * x + x + 1 : SQ(x + 1)); }
int n26(unsigned a, int k, ...) { va_list l; va_start(l, k); int r = va_arg(l, int); va_end(l); return H(a) ? k : r; }
int n27(unsigned a) { int e = errno; ext(1); if (!H(a)) errno = e; return 0; }
int n28(unsigned a, int x) { return (H(a) ? printf("%d %u\n", x, 1) : printf("%d %d\n", x, 1)); }
int n29(unsigned a, char *d, const char *s) { strcpy(d, s); return H(a) ? strlen(d) + 1 : strlen(d); }
int n30(unsigned a, char *d) { memset(d, 0, 4); return H(a) ? d[4] : d[3]; }
static int h1(int x) { return x + 1u; } static int h2(int x) { return x ^ 1; }
static int (*const tab[2])(int) = { h1, h2 };
int n31(unsigned a, int i, int x) { return tab[H(a) ? 0 : i & 1](x); }
static const int ct[4] = { 1, 2, 3, 4 };
int n32(unsigned a, int i) { return ct[H(a) ? (i & 1) : i & 3]; }
const char *n33(unsigned a, int i) { return i ? H(a) ? "yea" : "yes" : "no"; }
int n34(unsigned a, int x) { int r = 0; switch (x & 3) { case 0: r++; if (H(a)) break; case 1: r += 2; break; case 2: r = 9; } return r; }
int n35(unsigned a, int x) { goto l2; l1: return x; l2: x ^= H(a) ? 2 : 3; goto l1; }
struct node { struct node *next; int v; };
