// verdict: FALSE(valid-memtrack)
// check: --property valid-memsafety
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
// What each node has of its own is lost.
struct item { int *number; struct item *next; };
int main(void)
{
    struct item *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct item *i = malloc(sizeof *i);
        i->number = malloc(sizeof *i->number);
        *i->number = 1;
        i->next = list;
        list = i;
    }
    while (list) {
        struct item *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
