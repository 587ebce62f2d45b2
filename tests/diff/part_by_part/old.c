#include <string.h>
struct two { int a, b; };
union word { unsigned w; unsigned char b[4]; };
void between(void);
void leave(int) __attribute__((noreturn));
void cleared(struct two *s) { s->a = 0; s->b = 0; }
void initialised(struct two *s, int a) { s->a = a; s->b = 0; }
void one_way(struct two *s, int c) { if (c) { s->a = 0; s->b = 0; } }
void both_ways(struct two *s, int c) { if (c) { s->a = 0; s->b = 0; } else { s->b = 0; s->a = 0; } }
void before(int *p) { p[-1] = 0; p[0] = 0; }
void unrolled(int *p) { for (int i = 0; i < 4; i++) p[i] = 0; }
unsigned little(const unsigned char *p) { return p[0] | p[1] << 8 | p[2] << 16 | (unsigned)p[3] << 24; }
int middle(int *p) { long a; __builtin_memcpy(&a, p, 8); return (int)(a >> 32); }
int member(union word *u) { return u->w & 255; }
void copied(struct two *x, struct two *y) { *x = *y; }
void moved(void *x, void *y) { memmove(x, y, 8); }
void moved_late(void *x, void *y) { memmove(x, y, 8); }
unsigned big(const unsigned char *p) { return p[1] | p[0] << 8; }
int other_member(union word *u) { return u->w >> 24; }
void gap(char *p, int c) { p[0] = 0; if (c) p[1] = 0; p[2] = 0; p[3] = 0; }
void one_more(char *p) { p[0] = 0; p[1] = 0; p[2] = 0; }
void unasked(struct two *s, int c) { if (c) { s->a = 0; s->b = 0; } }
int written_back(struct two *s) { return s->a ^ s->b; }
void two_objects(int *p, int *q) { if (q == p + 1) { *p = 0; *q = 0; } }
void in_between(int *p) { p[0] = 0; between(); p[1] = 0; }
void never_there(int *p, int c) { p[0] = 0; if (c) leave(1); p[1] = 0; }
