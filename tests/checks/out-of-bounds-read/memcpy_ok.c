// Structs copied by memcpy, by assignment, in part, and as bytes.
#include <stdlib.h>
#include <string.h>
struct a { char c; int v[4]; };
int main(void) {
    struct a *from = calloc(1, sizeof *from), to, third;
    if (!from) return 0;
    memcpy(&to, from, sizeof to);
    third = *from;
    memcpy(&to.v[1], &third.v[2], 2 * sizeof(int));
    unsigned char bytes[sizeof(struct a)];
    memcpy(bytes, &to, sizeof bytes);
    memmove(&to.v[0], &to.v[1], 3 * sizeof(int));
    free(from);
    return to.v[2] + bytes[0];
}
