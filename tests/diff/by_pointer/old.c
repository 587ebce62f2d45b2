// Loops over an index that became loops over a pointer.
#include <stddef.h>
size_t count(const char *s, char c) { size_t k = 0; for (size_t i = 0; s[i] != '\0'; i++) if (s[i] == c) k++; return k; }
size_t count_near(const char *s, char c) { size_t k = 0; for (size_t i = 0; s[i] != '\0'; i++) if (s[i] == c) k++; return k; }
unsigned sum(const unsigned *a) { unsigned s = 0; for (size_t i = 0; a[i]; i++) s += a[i]; return s; }
unsigned sum_near(const unsigned *a) { unsigned s = 0; for (size_t i = 0; a[i]; i++) s += a[i]; return s; }
unsigned both(const unsigned *a, size_t n) { unsigned s = 0; for (size_t i = 0; i < n; i++) s += a[i]; return s; }
unsigned both_near(const unsigned *a, size_t n) { unsigned s = 0; for (size_t i = 0; i < n; i++) s += a[i]; return s; }
unsigned left(const unsigned char *a, size_t n) { unsigned s = 0; for (size_t i = 0; i < n; i++) s += a[i]; return s; }
unsigned left_near(const unsigned char *a, size_t n) { unsigned s = 0; for (size_t i = 0; i < n; i++) s += a[i]; return s; }
void note(int);
void times(unsigned n) { for (unsigned i = 0; i < n; i++) note(3); }
void times_near(unsigned n) { for (unsigned i = 0; i < n; i++) note(3); }
// The index is at its end and begins again, the pointer does not.
unsigned wraps(const char *s) { unsigned k = 0; for (unsigned char i = 0; s[i] != '\0'; i++) k++; return k; }
int last(const int *p, int n) { if (n <= 0) return 0; return p[n - 1]; }
int last_near(const int *p, int n) { if (n < 0) return 0; return n ? p[n - 1] : 1; }
