// The next pointer is read from a node that is gone.
#include <stdlib.h>
struct node { struct node *next; };
static void drop(struct node *n) {
    while (n) {
        free(n);
        n = n->next; //~ violated[use-after-free]
    }
}
int main(void) {
    struct node *n = malloc(sizeof *n);
    if (!n) return 0;
    n->next = 0;
    drop(n);
    return 0;
}
