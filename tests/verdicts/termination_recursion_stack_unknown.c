// verdict: UNKNOWN(recursion of `down`: no ranking function found)
// check: --property termination
// slow
// Calls with the same arguments that see how deep they are: they end.
#include <stdint.h>
static uintptr_t base;

static void down(void)
{
    char here;
    uintptr_t at = (uintptr_t)&here;
    if (at - base > 100000 && base - at > 100000)
        return;
    down();
}

int main(void)
{
    char here;
    base = (uintptr_t)&here;
    down();
    return 0;
}
