struct node {
    struct node *next;
    struct node *prev;
    int value;
};

int second_field(struct node *p) {
    return p->value;
}

int taken_out(struct node *n) {
    n->prev->next = n->next;
    return 1;
}

int around(int *p) {
    struct node *n = (struct node *)((char *)p - __builtin_offsetof(struct node, value));
    return n->value + (n->next == n->prev);
}

/* One bit away. */

int only_then(struct node *p, int x) {
    if (x)
        return p->value;
    return 0;
}

int not_touched(struct node *p) {
    return p->next == p->prev;
}

int copied(struct node *to, struct node *p, int n) {
    for (int i = 0; i < n; i++)
        to[i] = p[i];
    return n;
}
