// verdict: FALSE(unreach-call)
// check: --property unreach-call --timeout 20
// C promises a range, and no sequence, even of a program that sets no seed.
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    assert(rand() != RAND_MAX);
    return 0;
}
