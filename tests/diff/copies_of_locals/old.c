// Bytes put together by hand that became a copy to a local variable, whose address is tested for null on the way; texts of
// the code that are compared with.
#include <stdint.h>
#include <string.h>
uint32_t get(const unsigned char *p) { return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24; }
uint32_t get_near(const unsigned char *p) { return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24; }
void set(unsigned char *d, uint32_t v) { d[0] = v; d[1] = v >> 8; d[2] = v >> 16; d[3] = v >> 24; }
void set_near(unsigned char *d, uint32_t v) { d[0] = v; d[1] = v >> 8; d[2] = v >> 16; d[3] = v >> 24; }
void move4(char *d, const char *s) { memmove(d, s, 4); }
void move4_near(char *d, const char *s) { memmove(d, s, 4); }
int option_near(const char *s) { return strcmp(s, "off") == 0; }
struct three { int a, b; char *p; };
void clear(struct three *t) { t->a = 0; t->b = 0; t->p = NULL; }
void clear_near(struct three *t) { t->a = 0; t->b = 0; t->p = NULL; }
