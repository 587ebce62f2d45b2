struct node { struct node *next; int value; };
int first(struct node *n) { return n->value; }
int second(struct node *n) { return n->next ? n->next->value : 0; }
