// Loops that are tested in another place, and counters of another width.
#include <stddef.h>
#include <stdio.h>
struct node { struct node *next; int key; };
int next(void);
int use(int);
// diff: find equal
struct node *find(struct node *h, int k) { while (h && h->key != k) h = h->next; return h; }
// diff: lines equal
int lines(FILE *fp) { int n = 0; for (;;) { int c = getc(fp); if (c == EOF) break; n += c == '\n'; } return n; }
// diff: each equal
int each(void) { int n = 0; for (;;) { int c = next(); if (c <= 0) return n; n ^= use(c); } }
// diff: length equal
int length(const char *s, int n) { int i = 0; while (i < n && s[i]) i++; return i; }
// diff: signed_index equal
int signed_index(const int *v, int n) { int s = 0; for (ptrdiff_t i = 0; i < n; i++) s ^= v[i]; return s; }
// diff: unsigned_index equal
int unsigned_index(const int *v, unsigned n) { int s = 0; for (size_t i = 0; i < n; i++) s ^= v[i]; return s; }
// diff: small equal
int small(const int *v) { int s = 0; for (unsigned i = 0; i < 200; i++) s ^= v[i]; return s; }
// diff: find_end not-equal
struct node *find_end(struct node *h, int k) { while (h->next && h->key != k) h = h->next; return h->key == k ? h : 0; }
// diff: each_late not-equal
int each_late(void) { int n = 0; for (;;) { int c = next(); n ^= use(c); if (c <= 0) return n; } }
// diff: length_swapped not-equal
int length_swapped(const char *s, int n) { int i = 0; while (s[i] && i < n) i++; return i; }
// diff: endless not-equal
int endless(void) { int c = next(); for (;;) { if (c != 32) break; } return c; }
// diff: negative not-equal
int negative(const int *v, int n) { int s = 0; for (size_t i = 0; i < (size_t)n; i++) s ^= v[i]; return s; }
// diff: narrow not-equal
int narrow(const int *v, size_t n) { int s = 0; for (unsigned i = 0; i < n; i++) s ^= v[i & 3]; return s; }
// diff: short_of not-equal
int short_of(const int *v, unsigned n) { int s = 0; for (unsigned short i = 0; i < n; i++) s ^= v[i & 3]; return s; }
// diff: last_one not-equal
unsigned long last_one(unsigned n) { unsigned long s = 0; for (unsigned i = 0; i <= n; i++) s ^= i; return s; }
