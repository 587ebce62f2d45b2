// Pointers that are null, or a mark that is no address, wherever they are set: what is behind a test for them never runs.
#include <stdlib.h>

static void (*hook)(int);
static int *spare;
static void (*mark)(int) = (void (*)(int))1;
static int used;

int main(int argc, char **argv) {
    (void)argv;
    if (hook)
        hook(argc);
    if (spare) {
        *spare = 1;
        free(spare);
    }
    if (mark != 0 && mark != (void (*)(int))1)
        mark(3); //~ proved
    if (argc > 3)
        mark = 0;
    int *p = argc > 2 ? &used : 0;
    if (p)
        *p = 7; //~ proved
    if (!p)
        used = 100 / (used + 1); //~ proved
    return 0;
}
