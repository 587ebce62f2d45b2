#include <stdlib.h>
#include <string.h>
#include <stdio.h>
void ext(int); int extr(int); void extp(void *);
struct s3 { int a, b, c; }; struct node { struct node *next; int v; };
int gv; int arr[16];
int e01(const int *a, int n) { int s = 0, i = 0; while (i < n) { s ^= a[i]; i++; } return s; }
int e03(unsigned n) { int s = 0; for (unsigned i = 0; i < n; i++) s ^= i; return s; }
int e04(struct node *l) { int s = 0; for (; l; l = l->next) s ^= l->v; return s; }
int e06(int x) { switch (x) { case 0: return 3; case 1: return 5; case 2: return 9; case 3: return 2; default: return 0; } }
int e07(int x) { if (x == 1) return 10; else if (x == 2) return 20; else if (x == 3) return 30; else return -1; }
int e08(int *p, int x) { if (p) { if (x > 0) { *p = x; return 1; } else return 0; } else return -1; }
unsigned e10(unsigned x) { return x * 8; }
unsigned e11(unsigned x) { return x % 16; }
int e13(int n) { int c = 0; for (int i = 0; i < n; i++) { if (i & 1) c++; } return c; }
int e14(int x, int y) { int r; if (x < y) r = x; else r = y; return r; }
int e15(int x) { int r = 0; if (x & 1) r |= 4; if (x & 2) r |= 8; return r; }
static int helper(int x) { return x ^ 0x55; } int e16(int x, int y) { return helper(x) + 0u + helper(y); }
int e17(int x) { int t = x & 255; t = t ^ 3; t = t | 8; return t; }
int e18(struct s3 *p) { p->a = 1; p->b = 2; p->c = 3; return 0; }
int e21(const char *s, char c) { for (; *s; s++) if (*s == c) return 1; return 0; }
int e23(int n) { for (;;) { if (n <= 0) break; ext(n); n--; } return 0; }
int e24(int x) { int r; r = extr(x); if (r < 0) { ext(1); return -1; } ext(1); return r; }
void e25(int x) { if (x) { ext(1); gv = 1; } else { ext(1); gv = 2; } }
int e26(int x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
int e27(unsigned char c) { return c >= '0' && c <= '9'; }
int e28(int a, int b, int c) { return !(a && b) || c; }
unsigned e29(unsigned v) { unsigned c = 0; for (; v; v &= v - 1) c++; return c; }
unsigned e30(unsigned v) { v = (v & 0xff) << 24 | (v & 0xff00) << 8 | (v >> 8 & 0xff00) | v >> 24; return v; }
int e32(int n) { int s = 0; for (int i = 0; i < 4; i++) s ^= n << i & 0xff; return s; }
int e33(int x, int y) { if (x == y) return 0; return extr(x); }
struct node *e35(struct node *l) { struct node *r = 0; while (l) { struct node *n = l->next; l->next = r; r = l; l = n; } return r; }
int e36(const int *a, int n) { int m = a[0]; for (int i = 1; i < n; i++) if (a[i] > m) m = a[i]; return m; }
int e37(const int *a, int n, int k) { int i; for (i = 0; i < n; i++) if (a[i] == k) break; return i < n ? i : -1; }
int e39(int n) { int r = 0; for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) r ^= i & j; return r; }
void e40(void) { for (int i = 0; i < 16; i++) arr[i] = i; }
int e41(void) { int s = 0; for (int i = 0; i < 16; i++) s ^= arr[i]; return s; }
int e42(int x) { int *p = malloc(4); if (!p) return -1; *p = x; int r = *p; free(p); return r; }
int e44(const char *a, const char *b) { return strcmp(a, b) == 0; }
int e47(int c) { int x = 0; if (c) x = 1; ext(2); if (c) x = 2; return x; }
long e48(int x) { long r = x; r = r * 2; return r; }
int e49(short a, short b) { return a * b; }
unsigned e50(unsigned x, unsigned y) { return (x & y) + (x | y); }
unsigned e51(unsigned x, unsigned y) { return x + y - 2 * (x & y); }
int e52(int x) { return x & 1 ? x | 2 : x & ~2; }
static int up(int c) { if (c >= 'a' && c <= 'z') return c - 32; return c; } int e53(const char *a, const char *b) { while (*a && up(*a) == up(*b)) { a++; b++; } return up(*a) - up(*b); }
int e55(struct s3 *p, int f) { p->a = f ? p->b : p->c; return p->a; }
int e57(unsigned n) { int r = 0; while (n > 1) { n >>= 1; r++; } return r; }
int e58(int n) { if (n <= 0) return 0; int r = 0; do { r ^= n; } while (--n); return r; }
unsigned e60(unsigned a, unsigned b) { while (b) { unsigned t = a % b; a = b; b = t; } return a; }
int e62(const char *s) { int d = 0; for (; *s; s++) { if (*s == '(') d++; else if (*s == ')') { if (d-- == 0) return 0; } } return d == 0; }
int e63(int x) { gv = x; if (x > 5) gv = 5; return gv; }
int e64(unsigned a[4]) { return a[0] == a[1] && a[1] == a[2] && a[2] == a[3]; }
