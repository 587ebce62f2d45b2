// A number from outside is not the address of the local variable that it happens to be equal to: unknown code does not reach it.
#include <stdlib.h>
struct context { unsigned long word; int (*enter)(void *), (*leave)(void *); };

static int work(struct context *c)
{
    unsigned long *t = malloc(sizeof *t);
    if (!t)
        return -1;
    *t = c->word;
    int r = c->enter(t);
    if (r == 0)
        r = c->leave(t); //~ unknown[invalid-call]
    free(t);
    return r;
}

int parse(unsigned long word, int (*enter)(void *), int (*leave)(void *))
{
    struct context c;
    if (!enter || !leave || word != 0x700000000000)
        return 0;
    c.word = word;
    c.enter = enter;
    c.leave = leave;
    return work(&c);
}
