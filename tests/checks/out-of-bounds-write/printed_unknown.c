/* One byte less, a format that somebody may change, a size or a precision that is not a constant. */
#include <stdio.h>
#include <string.h>
static char format[] = "%d";
static int may_not_fit(int a, double d, size_t size)
{
    char number[11], real[25], word[7], other[64];
    sprintf(number, "%d", a); //~ unknown[out-of-bounds-write] proved[null-deref] proved[use-after-free]
    sprintf(real, "%1.17g", d); //~ unknown[out-of-bounds-write]
    snprintf(word, size, "%d %x", a, (unsigned)a); //~ unknown[out-of-bounds-write]
    sprintf(other, format, a); //~ unknown[out-of-bounds-write] unknown[uninit-read]
    sprintf(other, "%s", word); //~ unknown[out-of-bounds-read] unknown[out-of-bounds-write]
    sprintf(other, "%.*d", a & 3, a); //~ unknown[out-of-bounds-write]
    return number[0] + real[0] + word[0] + other[0];
}
int main(int argc, char **argv)
{
    (void)argv;
    return may_not_fit(argc & 7, (argc & 7) / 2.0, 4 + 40 * (argc & 1)) == 0;
}
