// A stream has its buffer from where it was opened, however that was: nothing is allocated where something is written to it.
#include <stdio.h>
int main(void) {
    FILE *f = fdopen(1, "w");
    if (f == NULL) return 1;
    fprintf(f, "x\n"); //~ proved[leak]
    fputs("y\n", f); //~ proved[leak]
    return fclose(f) != 0;
}
