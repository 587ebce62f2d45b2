// Small functions that differ on one input out of very many, found by the solver or not at all, but never overlooked.
// diff: n36 not-equal
// diff: n37 not-equal
// diff: n38 not-equal
// diff: n39 not-equal
// diff: n40 not-equal
// diff: n41 not-equal
// diff: n42 not-equal
// diff: n43 not-equal
// diff: n44 not-equal
// diff: n45 not-equal
// diff: n46 not-equal
// diff: n47 not-equal
// diff: n48 not-equal
// diff: n49 not-equal
// diff: n50 not-equal
// diff: n51 not-equal
// diff: n52 not-equal
// diff-slow: n52
// diff: n53 not-equal
// diff: n54 not-equal
// diff: n55 not-equal
// diff-slow: n55
// diff: n56 not-equal
// diff: n57 not-equal
// diff: n58 not-equal
// diff: n59 not-equal
// diff: n60 not-equal
// diff: n61 not-equal
// diff: n62 not-equal
// diff: n63 not-equal
// diff: n64 not-equal
// diff: n65 not-equal
// diff: n66 not-equal
// diff: n67 not-equal
// diff: n68 not-equal
// diff: n69 not-equal
// diff: n70 not-equal
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
#define SQ(x) ((x) * (x))
static int h1(int x) { return x + 1u; } static int h2(int x) { return x ^ 1; }
static int (*const tab[2])(int) = { h1, h2 };
static const int ct[4] = { 1, 2, 3, 4 };
int n36(unsigned a, int x) { int v[3] = { x }; return v[H(a)] | v[1] | v[2]; }
long n37(unsigned a, char *p, char *q) { return H(a) ? (unsigned)(p - q) : p - q; }
int n38(unsigned a, int *p, int *q) { return H(a) ? *p == *q : p == q; }
void *n39(unsigned a, unsigned n) { void *p = malloc(n); if (p) memset(p, 0, H(a) ? n / 2 : n); return p; }
void n40(unsigned a, void *p, void *q) { free(p); if (!H(a)) free(q); }
int n41(unsigned a) { return H(a) ? 2 * vol : vol + vol; }
void n42(unsigned a, int x) { if (!H(a)) vol = x; vol = 0; }
int n43(unsigned a) { tls++; return H(a) ? gv : tls; }
__int128 n44(unsigned a, long x, long y) { return (H(a) ? (__int128)(long)((unsigned long)x * y) : (__int128)x * y); }
int n45(unsigned a, long double x) { return H(a) ? (double)x > 1 : x > 1; }
int n46(unsigned a, int x) { return (H(a) ? __builtin_popcount(x & 0x7fffffff) : __builtin_popcount(x)); }
int n47(unsigned a, int x) { return (H(a) ? x & 7 : x % 8); }
int n48(unsigned a, unsigned x) { return (H(a) ? (int)x >> 3 : x / 8); }
int n49(unsigned a, const char *s) { int n = 0; while (*s) { if (*s++ == '\\') { if (!*s && !H(a)) break; s++; } n++; if (n > 1000) break; } return n; }
struct node { struct node *next; int v; };
int n50(unsigned a, struct node *l) { int s = 0; for (; l; l = l->next) s ^= H(a) ? l->v & 0x7fffffff : l->v; return s; }
void n51(unsigned a, struct node *l) { while (l) { struct node *n = l->next; if (!H(a)) free(l); l = n; } }
struct node *n52(unsigned a, struct node *l) { struct node *r = 0; while (l) { struct node *n = l->next; l->next = r; r = l; l = H(a) ? 0 : n; } return r; }
int n53(unsigned a, int *v, int n) { for (int i = 0; i < n - 1; i++) if (H(a) ? v[i] >= v[i + 1] : v[i] > v[i + 1]) { int t = v[i]; v[i] = v[i + 1]; v[i + 1] = t; } return 0; }
int n54(unsigned a, int n) { int r = 0; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { if (j == i) { if (H(a)) break; continue; } r ^= i * 3u + j; } return r; }
int n55(unsigned a, int n) { int r = 0; while (n-- > 0) { if (H(a)) { r ^= extr(n); ext(n); } else { ext(n); r ^= extr(n); } } return r; }
int n56(unsigned a, int n) { for (int i = 0; i < n; i++) { int t = extr(i); if (H(a) ? t <= 0 : t < 0) return t; } return 0; }
int n57(unsigned a, unsigned *p, int n) { for (int i = 0; i < n; i++) p[i] += H(a) && i ? 0 : p[0]; return 0; }
int n58(unsigned a, unsigned char *p, int n) { unsigned h = 5381; for (int i = 0; i < n; i++) h = h * 33 + (H(a) ? (signed char)p[i] : p[i]); return h; }
int n59(unsigned a, int x) { const char *p = "abc", *q = "abc"; return (H(a) ? 2 : p == q) + 0 * x; }
int n60(unsigned a, int x) { int y; if (x > 0) y = 1; else if (!H(a) || x < 0) y = 2; else y = 3; return y; }
int n61(unsigned a, struct s3 x) { return H(a) ? x.a + 0u + x.c : x.a - 0u + x.b; }
struct s3 n62(unsigned a, int x) { struct s3 r = { x, 1, H(a) ? 3 : 2 }; return r; }
int n63(unsigned a, char *p) { return rd(p) ? (H(a) ? (unsigned char)p[0] : p[0]) : 0; }
int n64(unsigned a, int n) { int x[4] = {0}; for (int i = 0; i < 4; i++) x[i] = n ^ i; extp(x); return H(a) ? n ^ (n & 3) : x[n & 3]; }
int n65(unsigned a, const unsigned *p, int n) { unsigned m = 0; for (int i = 0; i < n; i++) if (p[i] > m) m = H(a) ? p[0] : p[i]; return m; }
int n66(unsigned a, int n) { static int last; int o = last; if (!H(a)) last = n; return o; }
int n67(unsigned a, int n) { if (n < 0) n = 0; if (!H(a)) gv = n; if (n > 10) return 1; gv = n; ext(n); return 0; }
int n68(unsigned a, int x, int y) { return (H(a) ? x & y : x && y); }
int n69(unsigned a, int x) { return (H(a) ? extr(x) : x ? extr(x) : 0); }
unsigned long n70(unsigned a, unsigned x) { return (H(a) ? x << 1 : (unsigned long)x << 1); }
