// What is copied comes from one of two objects, and one of them was never written.
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    char *a = malloc(8), *b = malloc(8);
    char buf[8];
    if (!a || !b)
        exit(1);
    memset(b, 1, 8);
    memcpy(buf, argc > 0 ? a : b, 8);
    int r = 0;
    if (buf[0] == 1) //~ violated[uninit-read]
        r = 2;
    free(a);
    free(b);
    return r;
}
