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
int n01(unsigned a, int *p, int *q) { *p = 1; *q = 2; return *p; }
int n02(unsigned a, struct s3 *p, struct s3 *q) { p->a = q->b; p->b = q->a; return 0; }
int n03(unsigned a, struct s3 *p) { struct s3 t = *p; p->a = t.b; return t.a; }
int n04(unsigned a, struct pad *p, struct pad *q) { p->c = q->c; p->i = q->i; return 0; }
int n05(unsigned a, union u *p, float x) { p->f = x; return p->i; }
int n06(unsigned a, struct bits *p, int x) { p->b = x; return p->b; }
int n07(unsigned a, float x, float y) { return x == y; }
double n08(unsigned a, double x) { return x + 0.0; }
double n09(unsigned a, double x) { return x * 1.0; }
int n10(unsigned a, double x) { return x != x; }
int n11(unsigned a, signed char c) { return c >> 1; }
int n12(unsigned a, unsigned short x, unsigned short y) { return x * 2 < y; }
long n13(unsigned a, int x) { return (long)x * 2; }
unsigned n14(unsigned a, unsigned char c) { return c << 24; }
int n15(unsigned a, int n) { int s = 0; for (int i = 0; i < n; i++) s ^= arr[i & 15]; return s; }
int n16(unsigned a, int n) { int s = 0; for (unsigned i = 0; i < (unsigned)n; i++) { s ^= i; if (s == 77) break; } return s; }
int n17(unsigned a) { ext(1); gv = 2; return 0; }
int n18(unsigned a) { int x = gv; ext(1); return x; }
int n19(unsigned a, int *p) { if (!p) return -1; gv = 1; return *p; }
int n20(unsigned a) { int x = 5; extp(&x); x = 6; ext(0); return x; }
static int cnt(void) { static int k; return ++k; } int n21(unsigned a) { return cnt() + 0 * a; }
static jmp_buf jb; int n22(unsigned a, int x) { if (setjmp(jb)) return 1; return x; }
int n23(unsigned a, int gv) { return gv; }
int n24(unsigned a, enum color c) { switch (c) { case R: return 1; case G: return 2; default: return 3; } }
#define SQ(x) ((x) * (x))
int n25(unsigned a, unsigned x) { return SQ(x + 1); }
int n26(unsigned a, int k, ...) { va_list l; va_start(l, k); int r = va_arg(l, int); va_end(l); return r; }
int n27(unsigned a) { int e = errno; ext(1); errno = e; return 0; }
int n28(unsigned a, int x) { return printf("%d %d\n", x, 1); }
int n29(unsigned a, char *d, const char *s) { strcpy(d, s); return strlen(d); }
int n30(unsigned a, char *d) { memset(d, 0, 4); return d[3]; }
static int h1(int x) { return x + 1u; } static int h2(int x) { return x ^ 1; }
static int (*const tab[2])(int) = { h1, h2 };
int n31(unsigned a, int i, int x) { return tab[i & 1](x); }
static const int ct[4] = { 1, 2, 3, 4 };
int n32(unsigned a, int i) { return ct[i & 3]; }
const char *n33(unsigned a, int i) { return i ? "yes" : "no"; }
int n34(unsigned a, int x) { int r = 0; switch (x & 3) { case 0: r++; case 1: r += 2; break; case 2: r = 9; } return r; }
int n35(unsigned a, int x) { goto l2; l1: return x; l2: x ^= 3; goto l1; }
struct node { struct node *next; int v; };
