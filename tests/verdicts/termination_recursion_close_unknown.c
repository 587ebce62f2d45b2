// verdict: UNKNOWN(no ranking function found for the loop in `all`, line 8)
// check: --property termination
// A descriptor is not closed successfully for ever. (A call of itself that comes last is a loop.)
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
