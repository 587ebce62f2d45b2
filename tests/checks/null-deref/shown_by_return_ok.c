// A function that came back has used its arguments: what its checks let through holds for its caller, too.
#include <stdlib.h>

struct item {
    int kind;
    int *data;
};

int kind_of(const struct item *i)
{
    return i->kind;
}

void need(const void *p)
{
    if (p == NULL)
        abort();
}

static int small(int n)
{
    if (n < 0 || n >= 8)
        exit(2);
    return n & 1;
}

int use(struct item *i, int *p, int n)
{
    static const int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    int k = kind_of(i);
    k += i->kind; //~ proved[null-deref]
    need(p);
    k += *p; //~ proved[null-deref]
    small(n);
    return k + table[n]; //~ proved[array-index]
}

int main(int argc, char **argv)
{
    (void)argv;
    struct item *i = malloc(sizeof *i);
    if (i == NULL)
        return 3;
    i->kind = argc;
    int *p = argc > 2 ? NULL : &argc;
    int r = use(i, p, argc - 1);
    free(i);
    return r;
}
