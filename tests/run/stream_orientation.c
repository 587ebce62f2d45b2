// expect: exit 0
// Input and output of bytes make a stream one of bytes; to put a character back does not.
#include <stdio.h>
#include <wchar.h>

int main(void)
{
    if (fwide(stdin, 0) != 0 || fwide(stdout, 0) != 0)
        return 1;
    ungetc('x', stdin);
    if (fwide(stdin, 0) != 0 || getc(stdin) != 'x' || fwide(stdin, 0) != 0)
        return 2;
    if (getc(stdin) != EOF || fwide(stdin, 0) >= 0)
        return 3;
    putchar('a');
    if (fwide(stdout, 0) >= 0)
        return 4;
    return 0;
}
