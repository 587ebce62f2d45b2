// A table that is copied from a constant is defined wherever a loop reads it, also by a function that it is handed to,
// and also where something in the program returns twice.
#include <setjmp.h>
#include <stddef.h>

struct option { int code; const char *name; int has_argument; };

static jmp_buf back;

static int find(const struct option *o, char c)
{
    for (int i = 0; o[i].code != 0; i++)      //~ proved[uninit-read]
        if (o[i].name && o[i].name[0] == c)   //~ proved[uninit-read]
            return o[i].code;
    return 0;
}

int main(int argc, char **argv)
{
    const struct option options[] = {{'G', "traditional", 0}, {'h', "help", 0}, {'p', "prompt", 1}, {0, 0, 0}};
    if (setjmp(back))
        return 2;
    if (argc > 1 && find(options, argv[1][0]) == 'h')
        return 1;
    return 0;
}
