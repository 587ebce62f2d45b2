// verdict: TRUE
// check: --property valid-memsafety
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
// An element is looked for in a list that is linked both ways, and taken out.
struct node { struct node *next, *prev; int key; };
int main(void)
{
    struct node *first = NULL, *last = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->key = __VERIFIER_nondet_int();
        n->next = NULL;
        n->prev = last;
        if (last)
            last->next = n;
        else
            first = n;
        last = n;
    }
    struct node *p = first;
    while (p && p->key != 5)
        p = p->next;
    if (p) {
        if (p->prev)
            p->prev->next = p->next;
        else
            first = p->next;
        if (p->next)
            p->next->prev = p->prev;
        free(p);
    }
    while (first) {
        p = first;
        first = p->next;
        free(p);
    }
    return 0;
}
