// The object is handed out, and a jump leaves the function before the rest of it is written.
#include <setjmp.h>
#include <stdlib.h>

struct pair { int first, second; };

static jmp_buf back;
static struct pair *shared;

static void check(int n)
{
    if (n != 7)
        longjmp(back, 1);
}

static void fill(int n)
{
    struct pair *p = malloc(sizeof *p);
    if (p == NULL)
        exit(1);
    p->first = n;
    shared = p;
    check(n);
    p->second = n;
}

int main(void)
{
    if (setjmp(back) == 0)
        fill(3);
    int n = shared->second;
    free(shared);
    if (n == 5) //~ violated[uninit-read]
        return 1;
    return 0;
}
