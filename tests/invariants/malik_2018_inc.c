// Section 2.4.4 of Malik, "Template-Based Synthesis of Heap Abstractions" (2018): the summary of a function over zones.
// invariant: 5 returns: \result == x + 1
#include <assert.h>

int inc(int x)
{
    return x + 1;
}

int main(void)
{
    int a = 0;
    int b = inc(a);
    assert(b == 1);
}
