// A bit-field is stored together with its neighbours, here outside the object.
#include <stdlib.h>
struct bits { unsigned a : 4, b : 4; unsigned short c : 5; };
struct head { unsigned char first; };
int main(void) {
    struct bits *p = malloc(sizeof(struct head));
    if (!p) return 0;
    p->c = 3; //~ violated[out-of-bounds-write]
    free(p);
    return 0;
}
