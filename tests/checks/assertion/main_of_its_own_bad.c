// A main that has other parameters than the standard's is compiled as a function like any other. That `setjmp` returns
// again is known there, too.
#include <assert.h>
#include <setjmp.h>

static jmp_buf back;
static int steps;

static void work(void)
{
    steps = 1;
    longjmp(back, 1);
}

int main(int argc, char *name)
{
    (void)argc, (void)name;
    steps = 0;
    if (setjmp(back) == 0)
        work();
    else
        assert(steps == 0); //~ violated[assertion]
    return 0;
}
