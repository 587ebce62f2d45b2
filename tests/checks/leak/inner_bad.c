// The outer object is freed, the inner one was only reachable through it.
// run: no
#include <stdlib.h>
struct node { struct node *kid; };
int main(void) {
    struct node *n = calloc(1, sizeof *n);
    if (!n) return 0;
    n->kid = calloc(1, sizeof *n); //~ violated[leak]
    free(n);
    return 0;
}
