// verdict: FALSE(valid-deref)
// check: --property valid-memsafety
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
// The same; what is taken out is still linked to from behind.
struct link { struct link *next, *prev; };
struct item { int number; struct link link; };
static void add(struct link *new, struct link *prev, struct link *next)
{
    next->prev = new;
    new->next = next;
    new->prev = prev;
    prev->next = new;
}
static struct item *of(struct link *l) { return (struct item *)((char *)l - __builtin_offsetof(struct item, link)); }
int main(void)
{
    struct link head = {&head, &head};
    while (__VERIFIER_nondet_int()) {
        struct item *i = malloc(sizeof *i);
        i->number = 7;
        add(&i->link, head.prev, &head);
    }
    while (head.next != &head) {
        struct link *l = head.next;
        l->prev->next = l->next;
        free(of(l));
    }
    head.prev->next = &head;
    return 0;
}
