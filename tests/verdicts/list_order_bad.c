// verdict: FALSE(unreach-call)
// check: --property unreach-call --timeout 60
// Found a few iterations ahead, though the last node's link, which is never set, might lead anywhere.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct step { int what; struct step *next; };
int main(void)
{
    struct step *all = malloc(sizeof *all), *s = all;
    while (__VERIFIER_nondet_int()) {
        s->what = 1;
        s->next = malloc(sizeof *s);
        s = s->next;
    }
    while (__VERIFIER_nondet_int()) {
        s->what = 2;
        s->next = malloc(sizeof *s);
        s = s->next;
    }
    s->what = 3;
    for (s = all; s->what == 2; s = s->next)
        ;
    while (s->what == 1)
        s = s->next;
    if (s->what != 3)
        reach_error();
    return 0;
}
