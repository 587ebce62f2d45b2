// Loops with nearly the same bounds, exits and bodies.
// diff: until_equal changed
// diff: less_one changed
// diff: shifted changed
// diff: at_least_once changed
// diff: stopped changed
// diff: hoisted changed
// diff: narrow_counter not-equal
// diff: endless_loop not-equal
// diff: endless_new not-equal
// diff: kept_in_register changed
// diff: found_at changed
// diff: found_same equal
// diff: cleared_all changed
// diff: by_pointer changed
// diff: by_pointer_end changed
// diff: last_write changed
// diff: power changed
// diff: calls_in_loop changed
#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int until_equal(int n) { int c = 0; for (int i = 0; i != n && c < 100; i++) c++; return c; }
unsigned less_one(unsigned n) { unsigned c = 0; for (unsigned i = 0; i <= n - 1; i++) { c += i; if (c > 50) break; } return c; }
void shifted(int *a) { for (int i = 1; i <= 3; i++) a[i] = a[i - 1]; }
int at_least_once(int n) { int c = 0; do { n--; c++; } while (n > 0); return c; }
int stopped(const char *s) { int c = 0; for (; *s; s++) { if (*s == 'x') continue; c++; } return c; }
void hoisted(int *a, const int *n) { int m = *n; for (int i = 0; i < m; i++) a[i] = 0; }
unsigned narrow_counter(unsigned n) { unsigned c = 0; for (unsigned i = 0; i < n; i++) c++; return c; }
int endless_loop(int x) { return 1; }
int endless_new(int x) { while (x == 12345) { } return 1; }
void kept_in_register(unsigned *s, const unsigned *a, int n) { unsigned t = *s; for (int i = 0; i < n; i++) t += a[i]; *s = t; }
int found_at(const int *a, int n, int x) { int i; for (i = 0; i < n; i++) if (a[i] == x) return i; return -1; }
int found_same(const int *a, int n, int x) { for (int i = 0; i < n; i++) if (a[i] == x) return i; return -1; }
void cleared_all(char *s, char c) { unsigned long n = strlen(s); for (unsigned long i = 0; i < n; i++) s[i] = c; }
unsigned by_pointer(const unsigned char *s, int n) { unsigned c = 0; while (n-- > 0) c += *s++; return c; }
unsigned by_pointer_end(const unsigned char *s, int n) { unsigned c = 0; while (--n > 0) c += *s++; return c; }
void last_write(int *a, int n) { if (n > 0) a[n - 1] = 7; for (int i = 0; i < n; i++) { a[i] = i; } }
unsigned two_loops(unsigned n) { unsigned c = 0; for (unsigned i = 0; i < n; i++) c++; for (unsigned i = 0; i < n; i++) c++; return c; }
unsigned power(unsigned n) { unsigned r = 1; for (int i = 0; i < 31; i++) if (n >> i & 1) r = r * 3 + i; return r; }
void out(int); void calls_in_loop(int n) { for (int i = n - 1; i >= 0; i--) out(i); }
