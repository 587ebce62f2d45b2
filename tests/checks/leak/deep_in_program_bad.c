// What a function allocates and forgets is lost, also where no execution that gets there is found: looked at by itself, the
// function says nothing about what is lost when the program ends.
// run: no
#include <stdio.h>
#include <stdlib.h>
static void forget(void) {
    char *p = malloc(10); //~ unknown[leak]
    if (p)
        p[0] = 1;
}
int main(void) {
    char b[100];
    unsigned h = 5;
    if (!fgets(b, 100, stdin))
        return 1;
    for (int i = 0; b[i]; i++)
        h = h * 31 + (unsigned char)b[i];
    if (h == 0xdeadbeef)
        forget();
    return 0;
}
