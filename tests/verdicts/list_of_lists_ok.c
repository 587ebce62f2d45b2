// verdict: TRUE
// check: --property valid-memsafety
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
// Lists in a list, none of them empty.
struct inner { struct inner *next; };
struct outer { struct outer *next; struct inner *first; };
int main(void)
{
    struct outer *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct outer *o = malloc(sizeof *o);
        o->first = malloc(sizeof *o->first);
        o->first->next = NULL;
        while (__VERIFIER_nondet_int()) {
            struct inner *i = malloc(sizeof *i);
            i->next = o->first;
            o->first = i;
        }
        o->next = list;
        list = o;
    }
    while (list) {
        struct outer *next = list->next;
        while (list->first) {
            struct inner *i = list->first->next;
            free(list->first);
            list->first = i;
        }
        free(list);
        list = next;
    }
    return 0;
}
