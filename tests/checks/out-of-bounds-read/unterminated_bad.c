// strncpy that fills the buffer leaves no terminator.
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *b = malloc(4);
    if (!b) return 0;
    strncpy(b, "four", 4);
    int n = (int)strlen(b); //~ violated[out-of-bounds-read]
    free(b);
    return n;
}
