#include "box.h"

#include <stdlib.h>

struct box *box_new(int size) {
    struct box *b = malloc(sizeof *b);
    if (!b)
        return 0;
    b->size = size < 1 ? 1 : size;
    b->at = calloc((size_t)b->size, sizeof *b->at);
    if (!b->at) {
        free(b);
        return 0;
    }
    return b;
}

void box_free(struct box *b) {
    if (b)
        free(b->at);
    free(b);
}
