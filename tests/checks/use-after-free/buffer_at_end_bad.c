// The library writes what is left in a stream when the program ends, from a buffer that is gone by then. The place is where
// `main` returns: nothing of the program is on the stack any more.
// run: no
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *buffer = malloc(4096);
    if (buffer == NULL)
        return 1;
    setvbuf(stdout, buffer, _IOFBF, 4096);
    fputs("hello", stdout);
    free(buffer);
    return 0;
} //~ violated[use-after-free]
