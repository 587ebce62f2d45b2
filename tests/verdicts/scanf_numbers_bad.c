// verdict: FALSE(unreach-call)
// What is typed is found by a formula, and replayed as text: a number with a sign, one in hexadecimal, one with a point.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int a;
    unsigned long b;
    double c;
    if (scanf("%d, %lx", &a, &b) != 2)
        return 1;
    if (scanf("%lf", &c) != 1)
        return 1;
    assert(!(a == -77777 && b == 0xfeedbeef && c == 0.1875));
    return 0;
}
