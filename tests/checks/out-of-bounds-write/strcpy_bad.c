// No room for the terminator.
#include <stdlib.h>
#include <string.h>
int main(void) {
    const char *s = "hello";
    char *copy = malloc(strlen(s));
    if (!copy) return 0;
    strcpy(copy, s); //~ violated[out-of-bounds-write]
    free(copy);
    return 0;
}
