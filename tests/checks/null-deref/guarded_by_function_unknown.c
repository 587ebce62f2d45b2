// A function looks at an object and says whether it fits: what it read is what is read behind it, as long as nothing is
// written in between that may be the same place.
struct state { int mode, size; };
struct stream { int (*get)(void); struct state *state; };
static int broken(struct stream *s)
{
    struct state *state;
    if (s == 0 || s->get == 0)
        return 1;
    state = s->state;
    if (state == 0 || state->mode < 3 || state->mode > 9)
        return 1;
    return 0;
}
int reset(struct stream *s)
{
    if (broken(s))
        return 2;
    s->state->size = 0; //~ proved[null-deref]
    return 0;
}
int reset_in_a_loop(struct stream *s, int n)
{
    int sum = 0;
    if (broken(s))
        return 2;
    for (int i = 0; i < n; i++)
        sum ^= s->state->size; //~ proved[null-deref]
    return sum != 0;
}
int reset_after_a_call(struct stream *s)
{
    if (broken(s))
        return 2;
    s->get();
    struct state *state = s->state;
    state->size = 0; //~ unknown[null-deref]
    return 0;
}
int reset_after_a_write(struct stream *s, struct state **other)
{
    if (broken(s))
        return 2;
    *other = 0; //~ latent[null-deref]
    struct state *state = s->state;
    state->size = 0; //~ unknown[null-deref]
    return 0;
}
int reset_after_a_write_in_a_loop(struct stream *s, struct state **other, int n)
{
    if (broken(s))
        return 2;
    for (int i = 0; i < n; i++) {
        struct state *state = s->state;
        state->size = 0; //~ unknown[null-deref]
        *other++ = 0; //~ latent[null-deref] latent[out-of-bounds-write]
    }
    return 0;
}
