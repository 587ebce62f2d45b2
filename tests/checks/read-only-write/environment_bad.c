// What getenv gives is not for the program to change.
// run: no
#include <stdlib.h>
int main(void) {
    char *p = getenv("SETTING");
    if (p)
        p[0] = 'x'; //~ violated[read-only-write]
    return 0;
}
