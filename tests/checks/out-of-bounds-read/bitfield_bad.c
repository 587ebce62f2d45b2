// A bit-field is stored together with its neighbours, which are read first; here they are outside the object.
#include <stdlib.h>
struct bits { unsigned a : 4, b : 4; unsigned short c : 5; };
struct head { unsigned char first; };
int main(void) {
    struct bits *p = malloc(sizeof(struct head));
    if (!p) return 0;
    p->c = 3; //~ violated[out-of-bounds-read]
    free(p);
    return 0;
}
