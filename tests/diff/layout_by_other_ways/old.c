#include <stdlib.h>
#include <string.h>

struct pair { int a, b; };
struct grown { int a, b; };
struct holder { struct pair *p; };
struct outer { int x; struct { int a, b; } in; };

static void *made(void) {
    struct pair *p = malloc(8);
    if (!p)
        exit(1);
    p->a = 1;
    p->b = 2;
    return p;
}

static int first(const void *v) {
    const struct pair *p = v;
    return p->a;
}

static int handed_on(const void *v) { return first(v); }

static struct grown *around(int *p) { return (struct grown *)((char *)p - 4); }

// diff: as_numbers not-equal
int as_numbers(void) {
    int *p = made();
    return *p;
}

// diff: from_numbers not-equal
int from_numbers(void) {
    int x[2] = {1, 2};
    return first(x);
}

// diff: from_numbers_later not-equal
int from_numbers_later(void) {
    int x[2] = {1, 2};
    return handed_on(x);
}

static int second(const void *v, const void *w) { return (v ? first(v) : 0) + first(w); }

// diff: second_from_numbers not-equal
int second_from_numbers(struct pair *p) {
    int x[2] = {1, 2};
    return second(0, x) + (p != 0);
}

// diff: room_on_one_way not-equal
int room_on_one_way(struct grown *q) {
    struct grown *p = q;
    if (!p)
        p = malloc(8);
    if (!p)
        exit(1);
    p->b = 2;
    return p->b;
}

// diff: room_for_less not-equal
int room_for_less(void) {
    struct grown *p = malloc(8);
    if (!p)
        exit(1);
    p->b = 2;
    return p->b;
}

// diff: back_to_the_start not-equal
int back_to_the_start(struct grown *s) { return around(&s->b)->a; }

// diff: pointer_copied not-equal
int pointer_copied(struct holder *h) {
    int *p;
    memcpy(&p, &h->p, sizeof p);
    return *p;
}

// diff: in_a_nameless_one not-equal
int in_a_nameless_one(struct outer *p) { return p->in.b; }

// diff: by_fields equal
int by_fields(struct pair *p) { return p->a - p->b; }

// diff: handed_as_void equal
int handed_as_void(void *v) {
    struct pair *p = v;
    return p->a;
}
