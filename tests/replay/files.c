// It removes and writes files before it fails: none is touched.
// replay: files.c:12:15:div-by-zero
// replay: confirmed by execution: division by zero at files.c:12
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int d = argc > 5 ? 1 : 0;
    remove("precious.txt");
    FILE *f = fopen("junk.txt", "w");
    if (f) { fputs("hello", f); fclose(f); }
    return 10 / d;
}
