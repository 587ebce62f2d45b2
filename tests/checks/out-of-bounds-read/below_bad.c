// The search stops at the separator, or not at all.
#include <stdlib.h>
#include <string.h>
static const char *last(const char *s, char c) {
    const char *p = s + strlen(s);
    while (*--p != c) //~ violated[out-of-bounds-read]
        ;
    return p;
}
int main(void) {
    char *s = malloc(8);
    if (!s) return 0;
    strcpy(s, "abc.def");
    int r = *last(s, '.') != '.';
    r += *last(s, '/');
    free(s);
    return r;
}
