// verdict: UNKNOWN(unmodelled: `rmdir` means something that is not known here)
// check: --property termination
// Without a model this looks like an input; a folder is removed only once.
#include <unistd.h>

int main(void)
{
    while (rmdir("folder") == 0)
        ;
    return 0;
}
