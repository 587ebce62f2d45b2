// Not on the heap: a small buffer inside the struct.
#include <stdlib.h>
struct buf { char small[8]; char *at; };
static void drop(struct buf *b) {
    free(b->at); //~ violated[invalid-free]
}
int main(void) {
    struct buf b = {{0}, 0};
    b.at = b.small;
    drop(&b);
    return 0;
}
