#include <string.h>
struct up { int next; char kind, marked; long v; };
struct other { int a, b; };
int next(struct up *p) { return p->next; }
void copy(struct up *a, struct up *b) { *a = *b; }
void clear(struct up *p) { memset(p, 0, sizeof *p); }
void set(struct up *p) { p->marked = 0; p->v = 1; }
int get(struct up *p) { return p->marked; }
int through(struct up *p) { return get(p); }
int a(struct other *p) { return p->a; }
void bytes(struct other *p, const char *q) { memcpy(p, q, 8); }
union value { int a; void *b; };
struct tagged { union value value; int tag; };
void move(struct tagged *x, struct tagged *y) { *x = *y; }
int first(union value *p) { return p->a; }
char low(union value *p) { return (char)p->a; }
void low_near(union value *p) { p->a = 1; }
