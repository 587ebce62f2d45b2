// verdict: TRUE
// check: --property unreach-call --timeout 60
// Which pairs of numbers a node has is kept, though no range says it: (0, 0..1), (1, 0..2) and (2..3, 0..3).
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct request { int kind, state; struct request *next; };
int main(void)
{
    struct request *all = NULL;
    while (__VERIFIER_nondet_int()) {
        int kind = __VERIFIER_nondet_int(), state = __VERIFIER_nondet_int();
        if (kind < 0 || kind > 3 || state < 0 || state > 3)
            continue;
        if ((kind == 0 && state == 2) || (kind == 1 && state == 3) || (kind == 0 && state == 3))
            continue;
        struct request *r = malloc(sizeof *r);
        r->kind = kind;
        r->state = state;
        r->next = all;
        all = r;
    }
    for (struct request *r = all; r != NULL; r = r->next)
        if ((r->kind == 1 && r->state == 3) || (r->kind == 0 && r->state == 2))
            reach_error();
    return 0;
}
