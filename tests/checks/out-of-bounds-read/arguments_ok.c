// Arguments are counted: each below argc is a text, and what options leave begins within them.
#include <stdio.h>
#include <string.h>
static int quiet;
int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-q") == 0) quiet = 1; //~ proved
        else if (argv[i][0] == '-') puts(argv[i]); //~ proved
    }
    int n = argc > 1 ? 1 : 0;
    argc -= n;
    argv += n;
    for (int k = 0; k < argc; k++) puts(argv[k]); //~ proved
    return quiet;
}
