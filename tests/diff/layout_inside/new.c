// What keeps a function from being called equal - a record whose layout changed used other than by its fields, an atomic
// access - keeps those from it, too, that call it, though its body is looked into.
// diff: uses_first not-equal
// diff: uses_first_s not-equal
// diff: uses_k not-equal
// diff: uses_copy not-equal
// diff: uses_off not-equal
// diff: ticks unknown
// diff: caller not-equal
// diff: caller2 not-equal
#include <stdatomic.h>
#include <string.h>
struct s { int b, a; };
struct k { int x; };
static int first(void *p) { return *(int *)p; }
int uses_first(struct s *p) { return first(p); }
static int first_s(struct s *p) { return *(int *)p; }
int uses_first_s(struct s *p) { return first_s(p); }
static int through_k(struct s *p) { return ((struct k *)p)->x; }
int uses_k(struct s *p) { return through_k(p); }
static void copies(struct s *p, int *q) { memcpy(q, p, 4); }
int uses_copy(struct s *p) { int r; copies(p, &r); return r; }
int ticks(atomic_int *p) { return atomic_fetch_add_explicit(p, 1, memory_order_seq_cst); }
int caller(atomic_int *p) { return ticks(p); }
int caller2(atomic_int *p, int x) { if (x) return ticks(p); return 0; }
static unsigned long off(struct s *p) { return (char *)&p->b - (char *)p; }
unsigned long uses_off(struct s *p) { return off(p); }
// Another structure of this name, which stays as it is; and two names of one structure without a tag.
// diff: inner not-equal
// diff: of_one not-equal
// diff: of_two not-equal
int inner(char *v) { struct s { int b, a; } *p = (void *)v; return p->b; }
typedef struct { int y, x; } one;
typedef struct { int y, x; } two;
int of_one(one *p) { return p->y; }
int of_two(two *p) { return p->y; }
