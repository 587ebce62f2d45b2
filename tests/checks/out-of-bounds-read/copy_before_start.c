// Four bytes from before the start: the offset and the length, as numbers without sign, stay below 2^64.
#include <stdlib.h>
#include <string.h>
static int first(const char *text)
{
    int x;
    memcpy(&x, text - 8, 4); //~ violated[out-of-bounds-read]
    return x;
}
int main(void)
{
    char *text = calloc(8, 1);
    if (text == NULL)
        return 1;
    int x = first(text);
    free(text);
    return x != 0;
}
