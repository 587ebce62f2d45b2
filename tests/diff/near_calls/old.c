#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
void a(void); void b(void); void order(void) { a(); b(); }
int ax(void); int bx(void); int order_of_sum(void) { return ax() == bx(); }
int ax(void); int bx(void); int lazy(void) { return ax() && bx(); }
long errno_reset(const char *s) { errno = 0; long v = strtol(s, 0, 10); return errno ? -1 : v; }
int said(int x) { return printf("%d\n", x); }
void said_plain(int x) { printf("a\n"); }
int ext(int, ...); int varied(char c, long n) { return ext(1, c, n); }
int ext(int, ...); int varied_same(char c) { return ext(1, c); }
int ay(int); int called_once(int x) { ay(x); return ay(x); }
__attribute__((const)) int ac(int); unsigned const_once(int x) { return (unsigned)ac(x) + ac(x); }
__attribute__((pure)) int ap(const int *); int pure_over_write(int *p) { int r = ap(p); *p = 1; return r; }
void called_if_there(void (*f)(int), int x) { f(x); }
void called_always(void (*f)(int), int x) { if (f) f(x); }
void freed(char *a, char *b) { free(a); free(b); }
void leaves(int x) { if (x) exit(1); }
void leaves_flushed(int x) { printf("x"); exit(1); }
static jmp_buf buf; int jumped(int x) { int r = setjmp(buf); if (r) return r; if (x) longjmp(buf, 2); return 0; }
unsigned long length_twice(char *s) { unsigned long n = strlen(s); s[0] = 0; return n; }
unsigned recursed(unsigned n) { return n < 2 ? n : recursed(n - 1) + recursed(n - 2); }
unsigned recursed_less(unsigned n) { if (n == 0) return 0; return 1 + recursed_less(n - 1); }
struct pair { int a, b; }; int got(struct pair); int passed_struct(int x, int y) { struct pair p = { x, y }; return got(p); }
void *allocated(unsigned long n) { return malloc(n); }
int *cleared(void) { return calloc(4, sizeof(int)); }
static void spin(int x) { while (x) { } } int endless(int x) { spin(x); return 1; }
int stops(int x) { if (x == 9) __builtin_trap(); return x; }
int stops_the_same(int x) { if (x == 9) __builtin_trap(); return x; }
