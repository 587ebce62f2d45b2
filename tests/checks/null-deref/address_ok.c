// The address of a member of nothing is offsetof by hand; nothing is read.
#include <stddef.h>
struct s { int a; int b; };
int main(void) {
    struct s x = {1, 2}, *p = &x;
    return (size_t)&((struct s *)0)->b != offsetof(struct s, b) || *(int *)((char *)p + offsetof(struct s, b)) != 2;
}
