// verdict: FALSE(valid-deref)
// check: --property valid-memsafety
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
// The same; the one behind still has the address of what was taken out.
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
        free(p);
    }
    for (p = first; p; p = p->next)
        if (p->prev)
            p->prev->key = 0;
    while (first) {
        p = first;
        first = p->next;
        free(p);
    }
    return 0;
}
