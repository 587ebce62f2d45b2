// verdict: FALSE(valid-deref)
// check: --property valid-memsafety
// No room for the zero.
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    char *copy = malloc(strlen(argv[1]));
    if (!copy)
        return 1;
    strcpy(copy, argv[1]); //~ violated[out-of-bounds-write]
    free(copy);
    return 0;
}
