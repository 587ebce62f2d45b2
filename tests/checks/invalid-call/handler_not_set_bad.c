// What was never set is no function, and neither is a number or a function of another type.
// run: no
#include <stdlib.h>

static int (*first)(int);
static int (*second)(int) = (int (*)(int))0x123456;
static long two(long a, long b) { return a + b; }
static int (*third)(int) = (int (*)(int))two;

int main(int argc, char **argv)
{
    if (argc == 2)
        return first(1); //~ violated[null-deref]
    if (argc == 3)
        return second(1); //~ violated[invalid-call]
    if (argc == 4)
        return third(1); //~ violated[invalid-call]
    return 0;
}
