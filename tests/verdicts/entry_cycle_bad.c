// verdict: FALSE(termination)
// check: --property termination --entry count
// A list that is handed over may come back to itself.
struct node {
    struct node *next;
};
int count(struct node *p)
{
    while (p)
        p = p->next;
    return 0;
}
