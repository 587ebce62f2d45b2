// verdict: FALSE(unreach-call)
// The second number may be missing: then `b` is what it was.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int a = 0, b = 500;
    int n = scanf("%d%d", &a, &b);
    assert(!(n == 1 && a == 4711 && b == 500));
    return 0;
}
