/* Someone looks at the new object before all of it is set. */
#include <stdlib.h>
struct item { int type; int flags; };
static struct item *last;
static int flags(void)
{
    return last->flags ? 1 : 0; //~ violated[uninit-read]
}
int main(void)
{
    struct item *i = malloc(sizeof *i);
    if (i == NULL)
        return 1;
    i->type = 3;
    last = i;
    int before = flags();
    i->flags = 4;
    int all = before + i->type;
    free(i);
    return all;
}
