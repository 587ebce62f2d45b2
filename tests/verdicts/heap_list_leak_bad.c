// verdict: FALSE(valid-memtrack)
// check: --property valid-memsafety
#include <stdlib.h>
struct node { int v; struct node *next; };
int main(void)
{
    struct node *head = 0;
    for (int i = 0; i < 4; i++) {
        struct node *n = malloc(sizeof *n);
        n->v = i;
        n->next = head;
        head = n;
    }
    free(head);
    return 0;
}
