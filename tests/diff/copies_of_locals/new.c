// diff: get equal
// diff: get_near changed
// diff: set equal
// diff: set_near changed
// diff: move4 equal
// diff: move4_near not-equal
// diff: option_near changed
// diff: clear equal
// diff: clear_near changed
#include <stdint.h>
#include <string.h>
uint32_t get(const unsigned char *p) { uint32_t v; memcpy(&v, p, sizeof v); return v; }
uint32_t get_near(const unsigned char *p) { uint32_t v; memcpy(&v, p, sizeof v); return v & 0x7fffffff; }
void set(unsigned char *d, uint32_t v) { memcpy(d, &v, sizeof v); }
void set_near(unsigned char *d, uint32_t v) { memcpy(d, &v, 3); }
void move4(char *d, const char *s) { char t[4]; memcpy(t, s, 4); memcpy(d, t, 4); }
void move4_near(char *d, const char *s) { for (int i = 0; i < 4; i++) d[i] = s[i]; }
int option_near(const char *s) { return strcmp(s, "of") == 0; }
struct three { int a, b; char *p; };
void clear(struct three *t) { static const struct three zero; *t = zero; }
void clear_near(struct three *t) { static const struct three one = { 1 }; *t = one; }
