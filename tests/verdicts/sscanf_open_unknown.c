// FIXME: the text is not looked at.
// verdict: UNKNOWN(abstraction: a variadic function: `__isoc99_sscanf`)
#include <assert.h>
#include <stdio.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    char text[4] = "1 2";
    int a = 0, b = 0;
    text[2] = (char)('2' + __VERIFIER_nondet_uint() % 2);
    int n = sscanf(text, "%d %d", &a, &b);
    assert(n == 2 && a == 1 && b >= 2);
    return 0;
}
