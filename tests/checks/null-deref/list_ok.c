// A walk that stops where the list ends, recursively and with a pointer to pointer.
#include <stddef.h>
struct node { int value; struct node *next; };
static int sum(const struct node *n) { return n ? n->value + sum(n->next) : 0; }
static void drop(struct node **p, int value) {
    while (*p && (*p)->value != value) p = &(*p)->next;
    if (*p) *p = (*p)->next;
}
int main(void) {
    struct node c = {3, NULL}, b = {2, &c}, a = {1, &b}, *head = &a;
    drop(&head, 2);
    drop(&head, 9);
    return sum(head) != 4;
}
