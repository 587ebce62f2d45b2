// verdict: FALSE(valid-free)
// check: --property valid-memsafety
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
// Two of the nodes have the same object, the others have their own; each releases it.
struct item { int *number; struct item *next; };
static struct item *before(struct item *list, int *number)
{
    struct item *i = malloc(sizeof *i);
    i->number = number;
    i->next = list;
    return i;
}
int main(void)
{
    struct item *list = NULL;
    list = before(list, malloc(sizeof(int)));
    list = before(list, list->number);
    for (int n = 0; n < 2; n++)
        list = before(list, malloc(sizeof(int)));
    while (list) {
        struct item *next = list->next;
        free(list->number);
        free(list);
        list = next;
    }
    return 0;
}
