// Some names are literals, some are copies.
#include <stdlib.h>
#include <string.h>
static char *name(int n) { return n ? strdup("copy") : (char *)"none"; }
int main(void) {
    free(name(1));
    free(name(0)); //~ violated[invalid-free]
    return 0;
}
