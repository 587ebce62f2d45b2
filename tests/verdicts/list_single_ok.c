// verdict: TRUE
// check: --property valid-memsafety
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
// A list of any length is made, read and released.
struct node { struct node *next; int v; };
int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        n->v = 3;
        list = n;
    }
    for (struct node *p = list; p; p = p->next)
        p->v++;
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
