// verdict: UNKNOWN(unmodelled: `swapoff` means something that is not known here)
// check: --property termination
// Without a model this looks like an input; swapping is switched off only once.
#include <sys/swap.h>

int main(void)
{
    while (swapoff("folder") == 0)
        ;
    return 0;
}
