// Differences that show on one input out of very many, and code that is the same in another form.
// diff: rot2 not-equal
// diff: rot3 equal
// diff: lp1 not-equal
// diff: lp2 not-equal
// diff: lp3 not-equal
// diff: cont not-equal
// diff: nst not-equal
// diff: objloop not-equal
// diff: evmem not-equal
// diff: evmem2 not-equal
// diff: escape not-equal
// diff: priv not-equal
// diff: call2 not-equal
// diff: ptrint not-equal
// diff: byteptr not-equal
// diff: overlap not-equal
// diff: partw not-equal
// diff: partw2 equal
// diff: oob not-equal
// diff: rdonly not-equal
// diff: freed not-equal
// diff: leak not-equal
// diff: retain not-equal
// diff: infl not-equal
// diff: infl2 not-equal
// diff: infl3 not-equal
// diff: bits not-equal
// diff: boolst not-equal
// diff: gtab not-equal
#include <stdlib.h>
#include <string.h>
void ext(int);
int extr(int);
void extp(void *);
void use(int *);
// True of one number, which no search finds.
#define H(a) ((a) * 2654435761u == 0x37ab1233u)
int rot2(unsigned a, int n) { int s = 0, i = 0; if (i < n) do { s ^= i; i++; } while (H(a) ? i <= n : i < n); return s; }
int rot3(int n) { int s = 0, i = 0; if (i < n) do { s ^= i; i++; } while (i < n); return s; }
int lp1(unsigned a, int *p, int n) { for (int i = 0; i < n; i++) { p[i] = i; if (H(a) && i == 3) p[i] = 4; } return 0; }
int lp2(unsigned a, int n) { int x = 0, y = 0; for (int i = 0; i < n; i++) { y ^= x; x ^= i; } return H(a) ? y : y ^ x; }
int lp3(unsigned a, int n) { int k = 0; int i; for (i = 0; i < n; i++) ; return H(a) ? i : (n > 0 ? i - 1 : 0); }
int cont(unsigned a, int n) { int s = 0; for (int i = 0; i < n; i++) { if (i & 1 && !H(a)) continue; s ^= i; } return s; }
int nst(unsigned a, int n) { int s = 0; for (int i = 0; i < n; i++) for (int j = H(a) ? i + 1 : i; j < n; j++) s ^= j; return s; }
int objloop(unsigned a, int n) { int s = 0; for (int i = 0; i < n; i++) { int b[2] = {i, 1}; use(b); s ^= H(a) ? b[1] : b[0]; } return s; }
int g1; int evmem(unsigned a) { if (!H(a)) g1 = 1; ext(2); g1 = g1; return g1; }
int evmem2(unsigned a) { int o = g1; if (H(a)) o = 1; g1 = o; g1 = 1; if (H(a)) g1 = 2; ext(2); return 0; }
int escape(unsigned a) { int x = 1; extp(&x); int y = x; ext(0); return H(a) ? y : x; }
int priv(unsigned a) { int x = 1, *p = &x; int y = 2; if (H(a)) p = &y; ext(0); return *p + y; }
int call2(unsigned a, int x) { int r; r = extr(x ? 1 : H(a) ? 3 : 2); return r; }
long ptrint(unsigned a, char *p) { return H(a) ? 0 : (long)p & 1; }
int byteptr(unsigned a, int x) { int y = x; unsigned char *c = (unsigned char *)&y; c[H(a)] = 1; return y; }
void overlap(unsigned a, char *p) { if (H(a)) memmove(p, p + 1, 8); else memmove(p + 1, p, 8); }
unsigned partw(unsigned a, unsigned *p) { *p = 0x100; if (H(a)) ((char *)p)[2] = 1; return *p; }
unsigned partw2(unsigned *p) { *p = 0x100; return *p; }
int tt[8]; int oob(unsigned a, unsigned i) { return tt[H(a) ? 8 : i & 7]; }
static const int ro[2] = {1, 2}; static int rw[2] = {1, 2};
int rdonly(unsigned a, int i) { int *p = H(a) ? (int *)ro : rw; *p = 1; return ro[i & 1]; }
int freed(unsigned a, int *p) { int v = *p; free(p); return H(a) ? *p : v; }
void leak(unsigned a, void *p) { if (!H(a)) free(p); }
static int *st; int retain(unsigned a) { int l = 1; st = H(a) ? &l : 0; return l; }
void infl(unsigned a) { while (H(a)) ; }
void infl2(unsigned a) { while (H(a)) ; }
void infl3(unsigned a) { int i = 0; while (i < 10) { if (H(a) && i == 5) continue; i++; } }
struct bf { unsigned x : 3, y : 5; int z : 4; };
int bits(unsigned a, struct bf *p) { p->x = 5; if (H(a)) p->y = 0; return p->z; }
void boolst(unsigned a, _Bool *b, int x) { *b = H(a) ? x & 1 : x; }
static int c1(int x) { return x; } static int c2(int x) { return x + 1; }
int gtab(unsigned a, unsigned i, int x) { int (*t[2])(int) = {c1, c2}; return t[H(a) ? 0 : i & 1](x); }
