// verdict: FALSE(unreach-call)
// check: --property unreach-call
// One execution only, too long for a formula: it is run, and what it fails, it fails.
#include <assert.h>

int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int main(void)
{
    assert(fib(22) != 17711);
}
