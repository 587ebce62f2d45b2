// The next pointer is read before.
#include <stdlib.h>
struct node { struct node *next; };
static struct node *push(struct node *n) {
    struct node *h = malloc(sizeof *h);
    if (!h) return n;
    h->next = n;
    return h;
}
static void drop(struct node *n) {
    for (struct node *next; n; n = next) {
        next = n->next;
        free(n);
    }
}
int main(void) {
    drop(push(push(push(0))));
    return 0;
}
