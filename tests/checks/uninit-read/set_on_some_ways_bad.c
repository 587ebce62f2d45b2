/* One of several objects is not set whole before it is in the list. */
#include <stdlib.h>
struct item { struct item *next; int type; };
int main(void)
{
    struct item *list = NULL;
    for (int n = 0; n < 3; n++) {
        struct item *i = malloc(sizeof *i);
        if (i == NULL)
            break;
        if (n != 1)
            i->type = n;
        i->next = list;
        list = i;
    }
    int seen = 0;
    while (list != NULL) {
        struct item *next = list->next; //~ proved[uninit-read]
        if (list->type > 2) //~ violated[uninit-read]
            seen = 1;
        free(list);
        list = next;
    }
    return seen;
}
