// verdict: FALSE(unreach-call)
// check: --property unreach-call
// Memory that was not written may hold any one number.
#include <stdlib.h>
extern void reach_error(void);
struct pair { int x; long y; };
static int sum(const struct pair *p) { return p->x == 4711 && p->y == -98765432109; }
int main(void)
{
    struct pair a;
    struct pair *b = malloc(sizeof *b);
    if (sum(&a) && sum(b))
        reach_error();
    free(b);
    return 0;
}
