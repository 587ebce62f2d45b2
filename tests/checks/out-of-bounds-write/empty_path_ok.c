// Nothing has the empty name: what was opened has one of at least a character.
// run: no
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        FILE *f = fopen(argv[i], "r");
        if (f == NULL)
            continue;
        char *name = malloc(strlen(argv[i]) + 1);
        if (name != NULL)
            strcpy(name, "x");
        free(name);
        fclose(f);
    }
    return 0;
}
