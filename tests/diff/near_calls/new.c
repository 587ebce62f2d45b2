// Calls in another order, made once less, with another argument, behind another condition.
// diff: order changed
// diff: order_of_sum changed
// diff: lazy changed
// diff: errno_reset not-equal
// diff: said changed
// diff: said_plain changed
// diff: varied not-equal
// diff: varied_same equal
// diff: called_once changed
// diff: const_once equal
// diff: pure_over_write not-equal
// diff: called_if_there equal
// diff: called_always changed
// diff: leaves changed
// diff: leaves_flushed changed
// diff: jumped changed
// diff: length_twice changed
// diff: recursed changed
// diff: recursed_less changed
// diff: passed_struct changed
// diff: allocated changed
// diff: cleared not-equal
// diff: endless not-equal
// diff: stops unknown
// diff: stops_the_same equal
#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
void a(void); void b(void); void order(void) { b(); a(); }
int ax(void); int bx(void); int order_of_sum(void) { return bx() == ax(); }
int ax(void); int bx(void); int lazy(void) { return !!ax() & !!bx(); }
long errno_reset(const char *s) { long v = strtol(s, 0, 10); return errno ? -1 : v; }
int said(int x) { return printf("%u\n", x); }
void said_plain(int x) { printf("a \n"); }
int ext(int, ...); int varied(char c, long n) { return ext(1, c, (int)n); }
int ext(int, ...); int varied_same(char c) { return ext(1, (int)c); }
int ay(int); int called_once(int x) { return ay(x); }
__attribute__((const)) int ac(int); unsigned const_once(int x) { return 2u * ac(x); }
__attribute__((pure)) int ap(const int *); int pure_over_write(int *p) { *p = 1; return ap(p); }
void called_if_there(void (*f)(int), int x) { if (f) f(x); }
void called_always(void (*f)(int), int x) { f(x); }
void freed(char *a, char *b) { free(b); free(a); }
void leaves(int x) { if (x) exit(2); }
void leaves_flushed(int x) { printf("x"); _exit(1); }
static jmp_buf buf; int jumped(int x) { int r = setjmp(buf); if (r) return r; if (x) longjmp(buf, 3); return 0; }
unsigned long length_twice(char *s) { s[0] = 0; return strlen(s); }
unsigned recursed(unsigned n) { return n < 2 ? 1 : recursed(n - 1) + recursed(n - 2); }
unsigned recursed_less(unsigned n) { if (n <= 1) return 0; return 1 + recursed_less(n - 1); }
struct pair { int a, b; }; int got(struct pair); int passed_struct(int x, int y) { struct pair p = { y, x }; return got(p); }
void *allocated(unsigned long n) { return malloc(n + 1); }
int *cleared(void) { int *p = malloc(4 * sizeof(int)); if (p) p[0] = p[1] = p[2] = 0; return p; }
int endless(int x) { return 1; }
int stops(int x) { if (x == 9) return 4; return x; }
int stops_the_same(int x) { if (9 == x) __builtin_trap(); return x; }
