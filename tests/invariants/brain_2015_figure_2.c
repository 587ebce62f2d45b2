// Figure 2 of Brain et al., "Safety Verification and Refutation by k-invariants and k-induction" (SAS 2015).
// show: --domain intervals
// invariant: 10: x <= 10
#include <assert.h>

int main(void)
{
    unsigned x = 0;

    while (x < 10)
        ++x;
    assert(x == 10);
}
