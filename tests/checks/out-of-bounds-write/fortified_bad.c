// Headers of gnulib switch `_FORTIFY_SOURCE` on where nobody has said anything: the call in the user's line is what is checked.
// flags: -O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -U_FORTIFY_SOURCE
// run: no
#if !defined _FORTIFY_SOURCE && defined __OPTIMIZE__ && __OPTIMIZE__
#define _FORTIFY_SOURCE 2
#endif
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    char *copy = argc > 1 ? malloc(strlen(argv[1])) : NULL;
    if (copy == NULL)
        return 1;
    strcpy(copy, argv[1]); //~ violated[out-of-bounds-write]
    free(copy);
    return 0;
}
