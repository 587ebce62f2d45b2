/* The function that makes the object is left in the middle by a jump. */
#include <setjmp.h>
#include <stdlib.h>
struct item { int type; int flags; };
static struct item *last;
static jmp_buf out;
static void check(int bad)
{
    if (bad)
        longjmp(out, 1);
}
static void make(int bad)
{
    struct item *i = malloc(sizeof *i);
    if (i == NULL)
        abort();
    last = i;
    i->type = 1;
    check(bad);
    i->flags = 2;
}
int main(int argc, char **argv)
{
    (void)argv;
    if (setjmp(out) == 0)
        make(argc > 0);
    int seen = last->flags ? 1 : 0; //~ violated[uninit-read]
    free(last);
    return seen;
}
