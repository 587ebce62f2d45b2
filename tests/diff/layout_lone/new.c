// A field that only one version has, where the other has nothing, moves no other; but it is no other field, nor evidence.
// diff: next equal by identity
// diff: copy equal by identity
// diff: clear equal by identity
// diff: set unknown
// diff: get unknown
// diff: through unknown
// diff: a equal by identity
// diff: bytes not-equal
// diff: move equal by identity
// diff: first equal by identity
// diff: low equal
// diff: low_near not-equal
#include <string.h>
struct up { int next; char kind; long v; };
struct other { int a, c; };
int next(struct up *p) { return p->next; }
void copy(struct up *a, struct up *b) { *a = *b; }
void clear(struct up *p) { memset(p, 0, sizeof *p); }
void set(struct up *p) { p->v = 1; }
int get(struct up *p) { return p->kind; }
int through(struct up *p) { return get(p); }
int a(struct other *p) { return p->a; }
void bytes(struct other *p, const char *q) { memcpy(p, q, 8); }
union value { int a; void *b; char c; };
struct tagged { union value value; int tag; };
void move(struct tagged *x, struct tagged *y) { *x = *y; }
int first(union value *p) { return p->a; }
char low(union value *p) { return p->c; }
void low_near(union value *p) { p->c = 1; }
