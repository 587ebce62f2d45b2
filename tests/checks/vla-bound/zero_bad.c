// An array of no elements.
#include <string.h>
static int fill(int n) {
    char v[n]; //~ violated[vla-bound]
    memset(v, 0, sizeof v);
    return (int)sizeof v;
}
int main(void) { return fill(3) + fill(0); }
