// slow
/* Fields that are set one by one before anyone else looks at the new object are initialised wherever they are read; on
 * the ways on which it is released again, nobody does. */
#include <stdlib.h>
struct item { struct item *next; int *data; int type; };
static struct item *new_item(int type)
{
    struct item *i = malloc(sizeof *i);
    if (i == NULL)
        return NULL;
    i->type = type;
    i->next = NULL;
    i->data = malloc(sizeof *i->data);
    if (i->data == NULL) {
        free(i);
        return NULL;
    }
    *i->data = type;
    return i;
}
static int types(struct item *l)
{
    int seen = 0;
    for (; l != NULL; l = l->next) //~ proved[uninit-read]
        seen |= l->type | *l->data; //~ proved[uninit-read]
    return seen;
}
int main(int argc, char **argv)
{
    struct item *list = NULL;
    (void)argv;
    for (int n = 0; n < argc; n++) {
        struct item *i = new_item(n);
        if (i == NULL)
            break;
        i->next = list;
        list = i;
    }
    int seen = types(list);
    while (list != NULL) {
        struct item *next = list->next;
        free(list->data);
        free(list);
        list = next;
    }
    return seen > 9;
}
