// verdict: FALSE(unreach-call)
// What is pushed back is read by the next call, whoever read before.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int a, b;
    if (scanf("%d", &a) != 1)
        return 1;
    if (ungetc('7', stdin) != '7')
        return 1;
    if (scanf("%d", &b) != 1)
        return 1;
    assert(b != 7);
    return 0;
}
