// What an object was filled with before a function looked at it is still there, or something else that was written.
#include <stdlib.h>

struct counter { int step, value; };

static void count(struct counter *c, int times)
{
    while (times-- > 0 && c->value < 1000)
        c->value += c->step;
}

int main(int argc, char **argv)
{
    (void)argv;
    struct counter c;
    c.step = 1;
    c.value = argc & 7;
    count(&c, 3);
    if (c.value > 5) //~ proved[uninit-read]
        return 1;
    struct counter *h = malloc(sizeof *h);
    if (h == NULL)
        return 2;
    h->step = 2;
    h->value = 0;
    count(h, 4);
    int r = h->value > 7;
    free(h);
    if (r) //~ proved[uninit-read]
        return 3;
    return 0;
}
