#include <stddef.h>
#include <stdio.h>
struct node { struct node *next; int key; };
int next(void);
int use(int);
struct node *find(struct node *h, int k) { struct node *p; for (p = h; p != 0; p = p->next) if (p->key == k) return p; return 0; }
int lines(FILE *fp) { int n = 0, c; while ((c = getc(fp)) != EOF) if (c == '\n') n++; return n; }
int each(void) { int c, n = 0; while ((c = next()) > 0) n ^= use(c); return n; }
int length(const char *s, int n) { int i; for (i = 0; i < n; i++) { if (!s[i]) break; } return i; }
int signed_index(const int *v, int n) { int s = 0; for (int i = 0; i < n; i++) s ^= v[i]; return s; }
int unsigned_index(const int *v, unsigned n) { int s = 0; for (unsigned i = 0; i < n; i++) s ^= v[i]; return s; }
int small(const int *v) { int s = 0; for (unsigned char i = 0; i < 200; i++) s ^= v[i]; return s; }
struct node *find_end(struct node *h, int k) { struct node *p; for (p = h; p != 0; p = p->next) if (p->key == k) return p; return 0; }
int each_late(void) { int c, n = 0; while ((c = next()) > 0) n ^= use(c); return n; }
int length_swapped(const char *s, int n) { int i; for (i = 0; i < n; i++) { if (!s[i]) break; } return i; }
int endless(void) { int c; for (;;) { c = next(); if (c != 32) break; } return c; }
int negative(const int *v, int n) { int s = 0; for (int i = 0; i < n; i++) s ^= v[i]; return s; }
int narrow(const int *v, size_t n) { int s = 0; for (size_t i = 0; i < n; i++) s ^= v[i & 3]; return s; }
int short_of(const int *v, unsigned n) { int s = 0; for (unsigned i = 0; i < n; i++) s ^= v[i & 3]; return s; }
unsigned long last_one(unsigned n) { unsigned long s = 0; for (unsigned long i = 0; i <= n; i++) s ^= i; return s; }
