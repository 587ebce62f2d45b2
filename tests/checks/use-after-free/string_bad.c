// A library function reads what was freed.
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *s = strdup("text");
    if (!s) return 0;
    free(s);
    return (int)strlen(s); //~ violated[use-after-free]
}
