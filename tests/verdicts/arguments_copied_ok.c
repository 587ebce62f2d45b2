// verdict: TRUE
// check: --property valid-memsafety
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    size_t n = strlen(argv[1]);
    char *copy = malloc(n + 1);
    if (!copy)
        return 1;
    memcpy(copy, argv[1], n + 1);
    free(copy);
    return 0;
}
