// A number has more digits than was thought.
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char *b = malloc(5);
    if (!b) return 0;
    sprintf(b, "%d", 9999);
    sprintf(b, "%d", 10000); //~ violated[out-of-bounds-write]
    free(b);
    return 0;
}
