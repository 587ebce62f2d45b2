// The terminator goes one past the end when the input fills the buffer.
#include <stdlib.h>
static void copy(char *to, const char *from, int size) {
    int i;
    for (i = 0; i < size && from[i]; i++) to[i] = from[i];
    to[i] = 0; //~ violated[out-of-bounds-write]
}
int main(void) {
    char *b = malloc(4);
    if (!b) return 0;
    copy(b, "abc", 4);
    copy(b, "abcd", 4);
    free(b);
    return 0;
}
