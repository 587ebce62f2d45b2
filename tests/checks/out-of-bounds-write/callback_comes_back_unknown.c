// The function that the caller hands over may be one of these, and is called with an object that is too small for it.
#include <stdlib.h>
struct big {
    int a[10];
};
void set(struct big *p)
{
    if (p)
        p->a[9] = 1; //~ unknown[out-of-bounds-write]
}
void call(void (*with)(struct big *))
{
    struct big *p = malloc(4);
    if (p && with)
        with(p);
    free(p);
}
