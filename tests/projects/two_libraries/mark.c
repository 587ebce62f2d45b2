/* What is wrong here shows only where the other library's code is known. */
#include "box.h"

int mark_bad(void) {
    struct box *b = box_new(3);
    if (!b)
        return 1;
    b->at[3] = 1; //~ latent[out-of-bounds-write]
    box_free(b);
    return 0;
}

int mark_late_bad(void) {
    struct box *b = box_new(1);
    if (!b)
        return 1;
    box_free(b);
    return b->size; //~ latent[use-after-free]
}

int mark_ok(int n) {
    struct box *b = box_new(n);
    if (!b)
        return 1;
    b->at[0] = 1;
    box_free(b);
    return 0;
}

/* Which of the two it is nobody knows: it may be the one that returns null. */
int *note(void);

int mark_noted(void) {
    return *note(); //~ latent[null-deref]
}
