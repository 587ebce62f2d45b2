/* Who releases an object that is not set whole looks at it before. */
#include <stdlib.h>
struct item { int *data; int type; };
static void drop(struct item *i)
{
    if (i->data != NULL) //~ violated[uninit-read]
        free(i->data);
    free(i);
}
static struct item *make(int type)
{
    struct item *i = malloc(sizeof *i);
    if (i == NULL)
        return NULL;
    if (type > 5) {
        drop(i);
        return NULL;
    }
    i->type = type;
    i->data = NULL;
    return i;
}
int main(void)
{
    int sum = 0;
    for (int n = 4; n < 8; n++) {
        struct item *i = make(n);
        if (i == NULL)
            continue;
        sum += i->type;
        drop(i);
    }
    return sum;
}
