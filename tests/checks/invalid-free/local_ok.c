// The small buffer is told from the heap.
#include <stdlib.h>
struct buf { char small[8]; char *at; };
static void drop(struct buf *b) { if (b->at != b->small) free(b->at); }
int main(void) {
    struct buf a = {{0}, 0}, b = {{0}, 0};
    a.at = a.small;
    b.at = malloc(100);
    drop(&a);
    drop(&b);
    return 0;
}
