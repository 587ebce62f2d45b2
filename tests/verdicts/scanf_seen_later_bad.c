// verdict: FALSE(unreach-call)
// What follows a number stays in the stream for the next reader.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int a;
    if (scanf("%d", &a) != 1)
        return 1;
    int c = getchar();
    assert(c != '\n');
    return 0;
}
