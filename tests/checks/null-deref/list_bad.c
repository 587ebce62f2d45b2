// One step too far along a list.
#include <stddef.h>
struct node { int value; struct node *next; };
static int third(const struct node *n) {
    n = n->next;
    n = n->next;
    return n->value; //~ violated[null-deref]
}
int main(void) {
    struct node b = {2, NULL}, a = {1, &b};
    return third(&a);
}
