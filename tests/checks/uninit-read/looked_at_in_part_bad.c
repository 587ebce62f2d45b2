// A function looked at the half that was written. The other half still was not.
#include <stdlib.h>

struct counter { int step, value; };

static int step(const struct counter *c)
{
    return c->step;
}

int main(int argc, char **argv)
{
    (void)argv;
    struct counter *h = malloc(sizeof *h);
    if (h == NULL)
        exit(1);
    h->step = argc;
    int s = step(h);
    int r = h->value > s;
    free(h);
    if (r) //~ violated[uninit-read]
        return 2;
    return 0;
}
