// verdict: FALSE(unreach-call)
// The input ends before the second call.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int a = 0;
    if (scanf("%d", &a) != 1 || a < 100000)
        return 0;
    int b = scanf("%d", &a);
    assert(b != EOF);
    return 0;
}
