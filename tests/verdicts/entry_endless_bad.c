// verdict: FALSE(termination)
// check: --property termination --entry wait_for
// What is behind a parameter may be as it is for ever, once it was asked for.
struct state {
    int ready;
    struct state *next;
};
static int limit;
int wait_for(struct state *s)
{
    if (!s || !s->next)
        return 0;
    while (s->next->ready == limit)
        limit = s->next->ready;
    return 1;
}
