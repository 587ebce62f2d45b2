struct node {
    struct node *next;
    struct node *prev;
    int value;
};

// diff: second_field equal
int second_field(struct node *p) {
    if (p == 0)
        return -1;
    return p->value;
}

// diff: taken_out equal
int taken_out(struct node *n) {
    if (n == 0 || n->prev == 0)
        return 0;
    n->prev->next = n->next;
    return 1;
}

// diff: around equal
int around(int *p) {
    if (!p)
        return 0;
    struct node *n = (struct node *)((char *)p - __builtin_offsetof(struct node, value));
    return n->value + (n->next == n->prev);
}

/* One bit away. */

// diff: only_then changed
int only_then(struct node *p, int x) {
    if (p == 0)
        return 1;
    if (x)
        return p->value;
    return 0;
}

// diff: not_touched changed
int not_touched(struct node *p) {
    if (p->next == 0)
        return 0;
    return p->next == p->prev;
}

// diff: copied not-equal
int copied(struct node *to, struct node *p, int n) {
    if (p == 0)
        return 0;
    for (int i = 0; i < n; i++)
        to[i] = p[i];
    return n;
}
