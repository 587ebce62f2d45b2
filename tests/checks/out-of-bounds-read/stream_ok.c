// A FILE that is handed in is an open stream, whatever is done with it. It may be null.
// run: no
#include <stdio.h>

int put_line(FILE *to)
{
    if (fputs("line\n", to) == EOF || fflush(to) != 0) //~ latent[null-deref]
        return -1;
    return fileno(to);
}

long size_of(FILE *f)
{
    if (f == NULL || fseek(f, 0, SEEK_END) != 0)
        return -1;
    long n = ftell(f);
    rewind(f);
    return n;
}

int copy(FILE *from, FILE *to)
{
    int c;
    if (from == NULL || to == NULL || setvbuf(to, NULL, _IOFBF, 512) != 0)
        return -1;
    while ((c = getc(from)) != EOF)
        putc(c, to);
    return ferror(from) || ferror(to) ? -1 : 0;
}

int end(FILE *f) { return f != NULL ? fclose(f) : 0; }
