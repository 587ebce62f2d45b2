// verdict: TRUE
// check: --property valid-memsafety
// Behind the first access, the pointer is good; behind the call, it is still not null.
#include <stdlib.h>
struct node { int value, weight; struct node *next; };
static int total(const struct node *n) { return n->value > 3 ? n->weight : n->value; }
int main(void)
{
    struct node *n = malloc(sizeof *n);
    n->value = 1;
    n->weight = 2;
    n->next = n;
    int t = total(n);
    t += n->next->weight;
    free(n);
    return t;
}
