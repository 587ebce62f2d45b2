// verdict: TRUE
// check: --property unreach-call
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
// What every node of a list of any length holds.
extern void reach_error(void);
struct node { int v; struct node *next; };
int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->v = __VERIFIER_nondet_int() ? 1 : 2;
        n->next = list;
        list = n;
    }
    for (struct node *p = list; p; p = p->next)
        if (p->v < 1 || p->v > 2)
            reach_error();
    return 0;
}
