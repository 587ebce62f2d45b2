/* How long a text gets that is printed into a buffer follows from its format. */
#include <stdio.h>
#include <string.h>
static int fits(int a, double d)
{
    char number[12], real[26], word[8];
    sprintf(number, "%d", a); //~ proved
    sprintf(real, "%1.17g", d); //~ proved
    int n = snprintf(word, sizeof word, "%d %x", a, (unsigned)a); //~ proved
    sprintf(word, "%.3s%c%%", "abcdef", 'x'); //~ proved
    strcpy(word, "seven!!"); //~ proved[out-of-bounds-write] proved[null-deref] proved[uninit-read]
    return n + number[0] + real[0] + word[0];
}
int main(int argc, char **argv)
{
    (void)argv;
    return fits(argc, argc / 3.0) == 0;
}
