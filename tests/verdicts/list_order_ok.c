// verdict: TRUE
// check: --property unreach-call --timeout 60
// First the nodes with one number, then those with another, then the last one: nodes are only folded with their like.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct step { int what; struct step *next; };
static struct step *after(struct step *last, int what)
{
    struct step *s = malloc(sizeof *s);
    last->what = what;
    last->next = s;
    return s;
}
int main(void)
{
    int first = __VERIFIER_nondet_int() ? 5 : 7;
    struct step *all = malloc(sizeof *all), *s = all;
    while (__VERIFIER_nondet_int())
        s = after(s, first);
    while (__VERIFIER_nondet_int())
        s = after(s, 8);
    s->what = 9;
    s->next = NULL;
    for (s = all; s->what == first; s = s->next)
        ;
    while (s->what == 8)
        s = s->next;
    if (s->what != 9 || s->next != NULL)
        reach_error();
    return 0;
}
