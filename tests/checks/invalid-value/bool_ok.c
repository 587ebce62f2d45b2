// Conversions to _Bool give 0 or 1 whatever comes; a byte of 1 is a _Bool.
#include <string.h>
struct flags { _Bool on, off; };
int main(void) {
    struct flags f;
    memset(&f, 1, sizeof f);
    f.off = 256 & 0xff;
    f.on = 2;
    return f.on != 1 || f.off;
}
