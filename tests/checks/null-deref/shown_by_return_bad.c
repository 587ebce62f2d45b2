// What a function shows of its arguments, it shows on every way back: not of a copy, of an argument that it looks at
// only sometimes, of one it puts something else in place of, nor where another function may have been called.
#include <stdlib.h>

struct item {
    int *data;
};

static int sometimes(int *p, int when);

int a(int *p, int n)
{
    sometimes(p, n);
    return *p; //~ violated[null-deref]
}

static int sometimes(int *p, int when)
{
    if (when > 3)
        return *p; //~ violated[null-deref]
    return 0;
}

static int another(int *p)
{
    static int own;
    if (p == NULL)
        p = &own;
    return *p; //~ proved[null-deref]
}

static int of_copy(struct item i)
{
    static int own;
    if (i.data == NULL)
        i.data = &own;
    return *i.data; //~ proved[null-deref]
}

static int looks(int *p)
{
    return *p; //~ violated[null-deref]
}

static int does_not(int *p)
{
    (void)p;
    return 1;
}

int b(int *p)
{
    another(p);
    return *p; //~ violated[null-deref]
}

int c(struct item *i)
{
    of_copy(*i);
    return *i->data; //~ violated[null-deref]
}

int d(int *p, int n)
{
    int (*f)(int *) = n > 2 ? looks : does_not;
    f(p);
    return *p; //~ violated[null-deref]
}

int main(int argc, char **argv)
{
    struct item i = {argc > 5 ? &argc : NULL};
    switch (argc > 2 ? argv[1][0] : 'a') {
    case 'a': return a(i.data, argc);
    case 'b': return b(i.data);
    case 'c': return c(&i);
    case 'd': return d(i.data, argv[2][0] == 'l' ? 3 : 2);
    }
    return 0;
}
