// Still reachable at the end: from a global, through an interior pointer, through a link inside the object.
#include <stddef.h>
#include <stdlib.h>
struct link { struct link *next; };
struct item { int value; struct link link; };
static struct link *head;
static char *middle;
int main(void) {
    for (int i = 0; i < 3; i++) {
        struct item *it = malloc(sizeof *it);
        if (!it) return 0;
        it->value = i;
        it->link.next = head;
        head = &it->link;
    }
    char *p = malloc(10);
    if (p) middle = p + 5;
    return 0;
}
