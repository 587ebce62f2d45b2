// A _Bool whose byte is 2.
#include <string.h>
struct flags { _Bool on; };
int main(void) {
    struct flags f;
    memset(&f, 2, sizeof f);
    return f.on ? 1 : 0; //~ violated[invalid-value]
}
