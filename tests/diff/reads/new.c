// diff: first unknown
// diff: second unknown
// Looking at more of the input than before is no change that anyone sees; that it cannot fail is not shown.
struct node { struct node *next; int value; };
int first(struct node *n)
{
    struct node *m = n->next;
    (void)m;
    return n->value;
}
int second(struct node *n)
{
    struct node *m = n->next ? n->next->next : 0;
    (void)m;
    return n->next ? n->next->value : 0;
}
