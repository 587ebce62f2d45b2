// gcc clears the whole of a union that has an initialiser, whichever member that names.
#include <stdlib.h>

union number {
    char small;
    long large;
    int parts[2];
};

struct pair {
    char tag;
    union number n;
    union {
        short s;
        int i;
    } some[2];
};

int main(void)
{
    union number zero = {0}, three = {3};
    struct pair p = {'x', {2}, {{1}, {5}}};
    if (zero.large != 0) //~ proved[uninit-read]
        abort();
    if (three.large != 3) //~ proved[uninit-read]
        abort();
    if (p.n.parts[1] != 0) //~ proved[uninit-read]
        abort();
    if (p.some[0].i + p.some[1].i != 6) //~ proved[uninit-read]
        abort();
    return 0;
}
