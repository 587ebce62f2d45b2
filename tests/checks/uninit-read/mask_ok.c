// Only the bits that are set decide.
#include <stdlib.h>
int main(void) {
    unsigned char *p = malloc(2);
    if (!p) return 0;
    p[0] = 5;
    unsigned v;
    unsigned low = p[0] | (unsigned)p[1] << 8;
    v = low & 0xff;
    free(p);
    return v != 5;
}
