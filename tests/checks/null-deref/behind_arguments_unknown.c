// The bounds of the vector hold for the null pointer behind the last argument, too; what is in it does not. No run gets there.
// run: no
#include <stdio.h>
int main(int argc, char **argv) {
    int k = argc > 1 ? 0 : 1;
    unsigned n = 0;
    while (n < 3000000000u) n += getchar() != 0;
    char **p = argv + k;
    char *q = *p;
    char c = *q; //~ unknown[null-deref]
    return c == 'x';
}
