/* Objects that are filled before anyone sees them are initialised wherever they are used. */
// slow
#include <stdlib.h>
#include <string.h>
struct item { struct item *next; int type; };
static struct item *new_item(void)
{
    struct item *i = malloc(sizeof *i);
    if (i)
        memset(i, 0, sizeof *i);
    return i;
}
static int types(struct item *l)
{
    int seen = 0;
    for (; l != NULL; l = l->next) //~ proved
        seen |= l->type; //~ proved[uninit-read] proved[null-deref] proved[out-of-bounds-read] unknown[use-after-free]
    return seen;
}
int main(int argc, char **argv)
{
    struct item *list = NULL;
    (void)argv;
    for (int n = 0; n < argc; n++) {
        struct item *i = new_item();
        if (i == NULL)
            break;
        i->next = list; //~ proved
        i->type = n; //~ proved
        list = i;
    }
    int seen = types(list);
    while (list != NULL) {
        struct item *next = list->next;
        free(list);
        list = next;
    }
    return seen > 9;
}
