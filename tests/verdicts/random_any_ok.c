// verdict: TRUE
// check: --property unreach-call --timeout 20
// What holds of all numbers in the range holds.
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    srand(3);
    int n = rand();
    assert(n >= 0 && n <= RAND_MAX);
    return 0;
}
