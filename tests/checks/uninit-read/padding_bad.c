// memcmp sees the padding, which nobody set.
#include <string.h>
struct padded { char c; int i; };
int main(void) {
    struct padded a, b;
    a.c = b.c = 1;
    a.i = b.i = 2;
    return memcmp(&a, &b, sizeof a) != 0; //~ violated[uninit-read]
}
