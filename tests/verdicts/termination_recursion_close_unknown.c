// verdict: UNKNOWN(recursion of `all`: no ranking function found)
// check: --property termination
// A descriptor is not closed successfully for ever.
#include <unistd.h>

static void all(void)
{
    if (close(3) == 0)
        all();
}

int main(void)
{
    all();
    return 0;
}
