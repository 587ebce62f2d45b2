// container_of of a member that is not in a container.
#include <stddef.h>
struct link { struct link *next; };
struct item { int value; struct link link; };
#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))
int main(void) {
    struct link head = {0};
    struct item one = {1, {0}};
    head.next = &one.link;
    int r = container_of(head.next, struct item, link)->value;
    return r + container_of(&head, struct item, link)->value; //~ violated[out-of-bounds-read]
}
