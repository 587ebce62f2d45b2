// What one version reads or writes at once and the other one byte by byte, or member by member.
#include <string.h>
struct two { int a, b; };
union word { unsigned w; unsigned char b[4]; };
void between(void);
void leave(int) __attribute__((noreturn));
// diff: cleared equal
void cleared(struct two *s) { memset(s, 0, sizeof *s); }
// diff: initialised equal
void initialised(struct two *s, int a) { *s = (struct two){ .a = a }; }
// diff: one_way equal
void one_way(struct two *s, int c) { if (c) memset(s, 0, sizeof *s); }
// diff: both_ways equal
void both_ways(struct two *s, int c) { memset(s, 0, sizeof *s); }
// diff: before equal
void before(int *p) { __builtin_memset(p - 1, 0, 8); }
// diff: unrolled equal
void unrolled(int *p) { memset(p, 0, 16); }
// diff: little equal
unsigned little(const unsigned char *p) { unsigned v; __builtin_memcpy(&v, p, 4); return v; }
// diff: middle equal
int middle(int *p) { return p[1]; }
// diff: member equal
int member(union word *u) { return u->b[0]; }
// diff: copied equal
void copied(struct two *x, struct two *y) { int t = y->b; x->a = y->a; x->b = t; }
// diff: moved equal
void moved(void *x, void *y) { int *p = x, *q = y; int t = q[1], u = q[0]; p[0] = u; p[1] = t; }
// diff: moved_late not-equal
void moved_late(void *x, void *y) { int *p = x, *q = y; p[0] = q[0]; p[1] = q[1]; }
// diff: big changed
unsigned big(const unsigned char *p) { unsigned short v; __builtin_memcpy(&v, p, 2); return v; }
// diff: other_member changed
int other_member(union word *u) { return u->b[2]; }
// diff: gap not-equal
void gap(char *p, int c) { int v = *(int *)p; memset(p, 0, 4); if (!c) p[1] = v >> 8; }
// diff: one_more not-equal
void one_more(char *p) { memset(p, 0, 4); }
// diff: unasked not-equal
void unasked(struct two *s, int c) { memset(s, 0, sizeof *s); }
// diff: written_back not-equal
int written_back(struct two *s) { struct two t = *s; int r = t.a ^ t.b; *s = t; return r; }
// diff: two_objects not-equal
void two_objects(int *p, int *q) { if (q == p + 1) memset(p, 0, 8); }
// diff: in_between not-equal
void in_between(int *p) { memset(p, 0, 8); between(); }
// diff: never_there not-equal
void never_there(int *p, int c) { memset(p, 0, 8); if (c) leave(1); }
