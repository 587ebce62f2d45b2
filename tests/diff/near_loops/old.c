#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int until_equal(int n) { int c = 0; for (int i = 0; i < n && c < 100; i++) c++; return c; }
unsigned less_one(unsigned n) { unsigned c = 0; for (unsigned i = 0; i < n; i++) { c += i; if (c > 50) break; } return c; }
void shifted(int *a) { for (int i = 3; i > 0; i--) a[i] = a[i - 1]; }
int at_least_once(int n) { int c = 0; while (n > 0) { n--; c++; } return c; }
int stopped(const char *s) { int c = 0; for (; *s; s++) { if (*s == 'x') break; c++; } return c; }
void hoisted(int *a, const int *n) { for (int i = 0; i < *n; i++) a[i] = 0; }
unsigned narrow_counter(unsigned n) { unsigned c = 0; for (unsigned char i = 0; i < n; i++) c++; return c; }
int endless_loop(int x) { while (x) { } return 1; }
int endless_new(int x) { return 1; }
void kept_in_register(unsigned *s, const unsigned *a, int n) { for (int i = 0; i < n; i++) *s += a[i]; }
int found_at(const int *a, int n, int x) { int i; for (i = 0; i < n; i++) if (a[i] == x) break; return i; }
int found_same(const int *a, int n, int x) { int i; for (i = 0; i < n; i++) if (a[i] == x) break; return i < n ? i : -1; }
void cleared_all(char *s, char c) { for (unsigned long i = 0; i < strlen(s); i++) s[i] = c; }
unsigned by_pointer(const unsigned char *s, int n) { unsigned c = 0; for (int i = 0; i < n; i++) c += s[i]; return c; }
unsigned by_pointer_end(const unsigned char *s, int n) { unsigned c = 0; for (int i = 0; i < n; i++) c += s[i]; return c; }
void last_write(int *a, int n) { for (int i = 0; i < n; i++) { a[i] = i; } if (n > 0) a[n - 1] = 7; }
unsigned two_loops(unsigned n) { unsigned c = 0; for (unsigned i = 0; i < n; i++) c += 2; return c; }
unsigned power(unsigned n) { unsigned r = 1; for (int i = 0; i < 32; i++) if (n >> i & 1) r = r * 3 + i; return r; }
void out(int); void calls_in_loop(int n) { for (int i = 0; i < n; i++) out(i); }
