// Lost where it was allocated.
// replay: confirmed by execution: Direct leak
#include <stdlib.h>
int main(int argc, char **argv) {
    char *p = malloc(10);
    if (p && argc > 0) p = 0;
    return p != 0;
}
