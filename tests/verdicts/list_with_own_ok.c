// verdict: TRUE
// check: --property valid-memsafety
// slow
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
// Each node has something of its own.
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
        free(list->number);
        free(list);
        list = next;
    }
    return 0;
}
