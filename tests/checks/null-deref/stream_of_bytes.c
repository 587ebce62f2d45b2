// A stream is the library's: one that is found behind a pointer to anything is not made up of bytes.
#include <stdio.h>
struct scanner { char *text; FILE *in; };

FILE *input(void *scanner)
{
    return scanner ? ((struct scanner *)scanner)->in : NULL; //~ latent[out-of-bounds-read]
}

int put(void *scanner)
{
    FILE *f = input(scanner);
    return f ? fputc('x', f) : -1; //~ unknown[null-deref]
}
