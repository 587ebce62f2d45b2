// verdict: UNKNOWN(no ranking function found for the loop in `main`, line 8)
// check: --property termination
// What the system says is made up call by call: that it removes the same folder for ever is no execution.
#include <unistd.h>

int main(void)
{
    while (rmdir("folder") == 0)
        ;
    return 0;
}
