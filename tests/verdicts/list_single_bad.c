// verdict: FALSE(valid-deref)
// check: --property valid-memsafety
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
// The same, but for the order of the last two steps.
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
    while (list) {
        free(list);
        list = list->next;
    }
    return 0;
}
