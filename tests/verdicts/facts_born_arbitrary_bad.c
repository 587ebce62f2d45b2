// verdict: FALSE(unreach-call)
// check: --property unreach-call
// Where memory begins with arbitrary values, a field that was read and used was not written by that.
#include <stdlib.h>
extern void reach_error(void);
struct s { int a, b; };
static struct s *g;
static void look(void)
{
    if (g->a != 1)
        reach_error();
}
int main(void)
{
    struct s *p = malloc(sizeof *p);
    int r = 0;
    if (p->a == 7)
        r = 1;
    g = p;
    look();
    g->a = 1;
    return r;
}
