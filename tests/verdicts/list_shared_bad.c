// verdict: FALSE(valid-free)
// check: --property valid-memsafety
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
// All nodes have the same object; each releases it.
struct item { int *number; struct item *next; };
int main(void)
{
    int *number = malloc(sizeof *number);
    struct item *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct item *i = malloc(sizeof *i);
        i->number = number;
        i->next = list;
        list = i;
    }
    if (!list)
        free(number);
    while (list) {
        struct item *next = list->next;
        free(list->number);
        free(list);
        list = next;
    }
    return 0;
}
