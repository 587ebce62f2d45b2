// verdict: TRUE
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
    while (head) {
        struct node *n = head->next;
        free(head);
        head = n;
    }
    return 0;
}
