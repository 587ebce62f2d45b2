#include <stdlib.h>
#include <string.h>
void ext(int);
int extr(int);
void extp(void *);
void use(int *);
// True of one number, which no search finds.
#define H(a) ((a) * 2654435761u == 0x37ab1233u)
int rot2(unsigned a, int n) { int s = 0, i = 0; while (i < n) { s ^= i; i++; } return s; }
int rot3(int n) { int s = 0, i = 0; while (i < n) { s ^= i; i++; } return s; }
int lp1(unsigned a, int *p, int n) { for (int i = 0; i < n; i++) p[i] = i; return 0; }
int lp2(unsigned a, int n) { int x = 0, y = 0; for (int i = 0; i < n; i++) { x ^= i; y ^= x; } return y; }
int lp3(unsigned a, int n) { int k = 0; for (int i = 0; i < n; i++) k = i; return k; }
int cont(unsigned a, int n) { int s = 0; for (int i = 0; i < n; i++) { if (i & 1) continue; s ^= i; } return s; }
int nst(unsigned a, int n) { int s = 0; for (int i = 0; i < n; i++) for (int j = i; j < n; j++) s ^= j; return s; }
int objloop(unsigned a, int n) { int s = 0; for (int i = 0; i < n; i++) { int b[2] = {i, 1}; use(b); s ^= b[0]; } return s; }
int g1; int evmem(unsigned a) { g1 = 1; ext(2); return g1; }
int evmem2(unsigned a) { g1 = 1; ext(2); return 0; }
int escape(unsigned a) { int x = 1; extp(&x); ext(0); return x; }
int priv(unsigned a) { int x = 1, *p = &x; int y = 2; ext(0); return *p + y; }
int call2(unsigned a, int x) { int r; if (x) r = extr(1); else r = extr(2); return r; }
long ptrint(unsigned a, char *p) { return (long)p & 1; }
int byteptr(unsigned a, int x) { int y = x; unsigned char *c = (unsigned char *)&y; c[0] = 1; return y; }
void overlap(unsigned a, char *p) { memmove(p + 1, p, 8); }
unsigned partw(unsigned a, unsigned *p) { *p = 0; ((char *)p)[1] = 1; return *p; }
unsigned partw2(unsigned *p) { *p = 0; ((char *)p)[1] = 1; return *p; }
int tt[8]; int oob(unsigned a, unsigned i) { return tt[i & 7]; }
static const int ro[2] = {1, 2}; static int rw[2] = {1, 2};
int rdonly(unsigned a, int i) { return ro[i & 1]; }
int freed(unsigned a, int *p) { int v = *p; free(p); return v; }
void leak(unsigned a, void *p) { free(p); }
static int *st; int retain(unsigned a) { int l = 1; st = 0; return l; }
void infl(unsigned a) { return; }
void infl2(unsigned a) { while (H(a)) ext(1); }
void infl3(unsigned a) { int i = 0; while (i < 10) i++; }
struct bf { unsigned x : 3, y : 5; int z : 4; };
int bits(unsigned a, struct bf *p) { p->x = 5; return p->z; }
void boolst(unsigned a, _Bool *b, int x) { *b = x; }
static int c1(int x) { return x; } static int c2(int x) { return x + 1; }
int gtab(unsigned a, unsigned i, int x) { int (*t[2])(int) = {c1, c2}; return t[i & 1](x); }
