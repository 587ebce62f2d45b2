/* run: the object is looked at before it is filled, and only part of the other one is. */
// run: no
#include <stdlib.h>
#include <string.h>
struct item { int type, state; };
static struct item *new_item(int quick)
{
    struct item *i = malloc(sizeof *i);
    if (i == NULL)
        return NULL;
    if (quick)
        return i;
    memset(i, 0, sizeof *i);
    return i;
}
static struct item *new_part(void)
{
    struct item *i = malloc(sizeof *i);
    if (i != NULL)
        memset(i, 0, sizeof i->type);
    return i;
}
int main(int argc, char **argv)
{
    (void)argv;
    struct item *a = new_item(argc > 1), *b = new_part();
    int r = 0;
    if (a != NULL && a->type == 1) //~ violated[uninit-read]
        r = 1;
    if (b != NULL && b->state == 1) //~ violated[uninit-read]
        r = 2;
    free(a);
    free(b);
    return r;
}
