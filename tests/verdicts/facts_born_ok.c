// verdict: TRUE
// check: --property unreach-call
// A field that is set before anyone else looks at the object holds what the stores agree on, also where memory begins
// with arbitrary values.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct s { int a, b; struct s *next; };
static struct s *list;
static void add(void)
{
    struct s *p = malloc(sizeof *p);
    p->a = __VERIFIER_nondet_int() ? 1 : 2;
    p->next = list;
    list = p;
}
int main(void)
{
    while (__VERIFIER_nondet_int())
        add();
    for (struct s *p = list; p; p = p->next)
        if (p->a < 1 || p->a > 2)
            reach_error();
    return 0;
}
