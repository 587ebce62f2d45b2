// A pointer to a record of changed layout becomes one to something else: its fields are no longer known by name.
// diff: to_number not-equal
// diff: to_other not-equal
// diff: to_void not-equal
// diff: as_other not-equal
// diff: from_field not-equal
// diff: through_result not-equal
// diff: through_memory not-equal
// diff: through_variable not-equal
// diff: through_pointer not-equal
// diff: merged not-equal
// diff: wide not-equal
// diff: whole equal
// diff: back not-equal
// diff: handed equal
// diff: taken equal
// diff: called equal
// diff: fetched equal
// diff: walked equal
// diff: through equal
// diff: member equal
struct s { int b; int a; int *to; struct s *next; };
struct outer { int x; struct base { int z; } b; };
union u { int i; unsigned char c[4]; };
struct other { int x; int y; };
static int number(int *p) { return p[1]; }
static int other(struct other *p) { return p->y; }
static int anything(void *v) {
    struct other *p = v;
    return p->y;
}
static int own(struct s *p) { return p->a; }
static void *hidden(struct s *p) { return p; }
static int *behind;
struct holder { void *v; struct s *s; int (*call)(struct s *); int (*other)(int *); };
int to_number(struct s *p) { return number((int *)p); }
int to_other(struct s *p) { return other((struct other *)p); }
int to_void(struct s *p) { return anything(p); }
int as_other(struct s *p) { return ((struct other *)p)->y; }
int from_field(struct holder *h) {
    int *p = (int *)h->s;
    return p[1];
}
int through_result(struct s *p) {
    int *q = hidden(p);
    return q[1];
}
int through_memory(struct s *p) {
    struct holder h;
    h.v = p;
    int *q = h.v;
    return q[1];
}
int through_variable(struct s *p) {
    behind = (int *)p;
    return number(behind);
}
int through_pointer(struct holder *h) { return h->other((int *)h->s); }
int merged(struct s *p, struct other *q, int c) {
    struct other *r = c ? (struct other *)p : q;
    return r->y;
}
long wide(struct s *p) { return *(long *)&p->a; }
int whole(struct outer *o) {
    struct base *b = (struct base *)o;
    return ((struct outer *)b)->x;
}
int back(struct base *b) { return ((struct outer *)b)->x; }
int handed(struct s *p) { return own(p); }
int taken(struct holder *h) { return own(h->s); }
int called(struct holder *h) { return h->call(h->s); }
int fetched(void *v) {
    struct s *p = v;
    return p->a;
}
int walked(struct s *p, int c) {
    struct s *q = c ? p : 0;
    return q ? q->b : 0;
}
int through(struct s *p) { return *p->to + (p->next ? p->next->b : 0); }
int member(union u *u) {
    u->i = 0x01020304;
    u->c[0] = 7;
    return u->i;
}
