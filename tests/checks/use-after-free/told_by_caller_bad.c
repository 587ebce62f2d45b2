/* The field still holds the pointer when its object is gone. */
#include <stdlib.h>
struct box { int *p; };
static void release(int *p)
{
    free(p);
}
static int use(struct box *b)
{
    return *b->p; //~ violated[use-after-free]
}
int main(void)
{
    struct box b;
    b.p = malloc(sizeof *b.p);
    if (b.p == NULL)
        return 1;
    *b.p = 1;
    int *copy = b.p;
    release(copy);
    return use(&b);
}
