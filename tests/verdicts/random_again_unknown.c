// verdict: UNKNOWN(unmodelled: a second sequence of random numbers at random_again_unknown.c:10)
// check: --property unreach-call --timeout 20
// The same seed gives the same numbers again; that is not modelled.
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    srand(3);
    int n = rand();
    srand(3);
    assert(n == rand());
    return 0;
}
