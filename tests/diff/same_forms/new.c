// Small functions, each written in two ways that mean the same.
// diff: e01 equal
// diff: e03 equal
// diff: e04 equal
// diff: e06 equal
// diff: e07 equal
// diff: e08 equal
// diff: e10 equal
// diff: e11 equal
// diff: e13 equal
// diff: e14 equal
// diff: e15 equal
// diff: e16 equal
// diff: e17 equal
// diff: e18 equal
// diff: e21 equal
// diff: e23 equal
// diff: e24 equal
// diff: e25 equal
// diff: e26 equal
// diff: e27 equal
// diff: e28 equal
// diff: e29 equal
// diff: e30 equal
// diff: e32 equal
// diff: e33 equal
// diff: e35 equal
// diff: e36 equal
// diff: e37 equal
// diff: e39 equal
// diff: e40 equal
// diff: e41 equal
// diff: e42 equal
// diff: e44 equal
// diff: e47 equal
// diff: e48 equal
// diff: e49 equal
// diff: e50 equal
// diff: e51 equal
// diff: e52 equal
// diff: e53 equal
// diff: e55 equal
// diff: e57 equal
// diff: e58 equal
// diff: e60 equal
// diff: e62 equal
// diff: e63 equal
// diff: e64 equal
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
void ext(int); int extr(int); void extp(void *);
struct s3 { int a, b, c; }; struct node { struct node *next; int v; };
int gv; int arr[16];
int e01(const int *a, int n) { int s = 0; if (n > 0) { int i = 0; do { s ^= a[i]; } while (++i < n); } return s; }
int e03(unsigned n) { int s = 0; unsigned i = 0; for (;;) { if (i >= n) return s; s ^= i++; } }
int e04(struct node *l) { int s = 0; while (l != NULL) { int v = l->v; s = v ^ s; l = l->next; } return s; }
int e06(int x) { static const int t[] = { 3, 5, 9, 2 }; if (x < 0 || x > 3) return 0; return t[x]; }
int e07(int x) { switch (x) { case 1: return 10; case 2: return 20; case 3: return 30; } return -1; }
int e08(int *p, int x) { if (!p) return -1; if (x <= 0) return 0; *p = x; return 1; }
unsigned e10(unsigned x) { return x << 3; }
unsigned e11(unsigned x) { return x & 15; }
int e13(int n) { int c = 0; for (int i = 0; i < n; i++) c += i & 1; return c; }
int e14(int x, int y) { return y <= x ? y : x; }
int e15(int x) { return (x & 3) << 2; }
int e16(int x, int y) { return (x ^ 0x55) + 0u + (y ^ 0x55); }
int e17(int x) { int lo = x & 255; int fl = lo ^ 3; return fl | 8; }
int e18(struct s3 *p) { p->c = 3; p->b = 2; p->a = 1; return 0; }
int e21(const char *s, char c) { while (*s != '\0') { if (*s == c) return 1; ++s; } return 0; }
int e23(int n) { while (n > 0) ext(n--); return 0; }
int e24(int x) { int r = extr(x); ext(1); return r < 0 ? -1 : r; }
void e25(int x) { ext(1); gv = x ? 1 : 2; }
int e26(int x) { return (x > 0) - (x < 0); }
int e27(unsigned char c) { return (unsigned)(c - '0') < 10; }
int e28(int a, int b, int c) { return !a || !b || c; }
unsigned e29(unsigned v) { unsigned c = 0; while (v != 0) { v = v & (v - 1); ++c; } return c; }
unsigned e30(unsigned v) { return __builtin_bswap32(v); }
int e32(int n) { int s = n & 0xff; s ^= n << 1 & 0xff; s ^= n << 2 & 0xff; return s ^ (n << 3 & 0xff); }
int e33(int x, int y) { return x != y ? extr(x) : 0; }
struct node *e35(struct node *l) { struct node *r = 0, *n; for (; l; l = n) { n = l->next; l->next = r; r = l; } return r; }
int e36(const int *a, int n) { int m = *a; for (int i = 1; i < n; ++i) m = a[i] > m ? a[i] : m; return m; }
int e37(const int *a, int n, int k) { for (int i = 0; i < n; i++) if (a[i] == k) return i; return -1; }
int e39(int n) { int r = 0; int i = 0; while (i < n) { int j = 0; while (j < i) { r ^= i & j; j++; } i++; } return r; }
void e40(void) { for (int i = 15; i >= 0; i--) arr[i] = i; }
int e41(void) { int s = 0; for (int *p = arr; p < arr + 16; p++) s ^= *p; return s; }
int e42(int x) { int *p = malloc(sizeof *p); if (p != NULL) { *p = x; free(p); return x; } return -1; }
int e44(const char *a, const char *b) { return !strcmp(a, b); }
int e47(int c) { ext(2); return c ? 2 : 0; }
long e48(int x) { return 2L * x; }
int e49(short a, short b) { int x = a, y = b; return y * x; }
unsigned e50(unsigned x, unsigned y) { return x + y; }
unsigned e51(unsigned x, unsigned y) { return x ^ y; }
int e52(int x) { return (x & ~2) | (x & 1) << 1; }
int e53(const char *a, const char *b) { for (;; a++, b++) { int x = *a, y = *b; if (x >= 'a' && x <= 'z') x -= 32; if (y >= 'a' && y <= 'z') y -= 32; if (!*a || x != y) return x - y; } }
int e55(struct s3 *p, int f) { if (f) p->a = p->b; else p->a = p->c; return p->a; }
int e57(unsigned n) { int r = 0; while (n >= 2) { n /= 2; r += 1; } return r; }
int e58(int n) { int r = 0; for (; n > 0; n--) r ^= n; return r; }
unsigned e60(unsigned a, unsigned b) { while (b != 0) { unsigned t = b; b = a % b; a = t; } return a; }
int e62(const char *s) { int d = 0; while (*s) { switch (*s++) { case '(': d++; break; case ')': if (!d) return 0; d--; } } return !d; }
int e63(int x) { int v = x > 5 ? 5 : x; gv = v; return v; }
int e64(unsigned a[4]) { for (int i = 0; i < 3; i++) if (a[i] != a[i + 1]) return 0; return 1; }
