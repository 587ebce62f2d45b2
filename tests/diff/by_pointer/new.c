// diff: count equal
// diff: count_near changed
// diff: sum equal
// diff: sum_near changed
// diff: both equal
// diff: both_near changed
// diff: left equal
// diff: left_near changed
// diff: times equal
// diff: times_near changed
// diff: wraps not-equal
// diff: last equal
// diff: last_near changed
#include <stddef.h>
size_t count(const char *s, char c) { size_t k = 0; for (; *s; ++s) if (*s == c) k++; return k; }
size_t count_near(const char *s, char c) { size_t k = 0; for (; *s; ++s) if (*s == c) k = 1; return k; }
unsigned sum(const unsigned *a) { unsigned s = 0; for (; *a; a++) s += *a; return s; }
unsigned sum_near(const unsigned *a) { unsigned s = 0; for (; *a; a++) s ^= *a; return s; }
unsigned both(const unsigned *a, size_t n) { unsigned s = 0; for (size_t i = 0; i < n; i++) s += *a++; return s; }
unsigned both_near(const unsigned *a, size_t n) { unsigned s = 0; for (size_t i = 1; i < n; i++) s += *a++; return s; }
unsigned left(const unsigned char *a, size_t n) { unsigned s = 0; for (; n > 0; n--, a++) s += *a; return s; }
unsigned left_near(const unsigned char *a, size_t n) { unsigned s = 0; for (; n > 1; n--, a++) s += *a; return s; }
void note(int);
void times(unsigned n) { while (n--) note(3); }
void times_near(unsigned n) { while (--n) note(3); }
unsigned wraps(const char *s) { unsigned k = 0; for (; *s != '\0'; s++) k++; return k; }
int last(const int *p, int n) { if (n <= 0) return 0; if (p == NULL) return -1; return p[n - 1]; }
int last_near(const int *p, int n) { if (n < 0) return 0; if (p == NULL) return -1; return n ? p[n - 1] : 1; }
