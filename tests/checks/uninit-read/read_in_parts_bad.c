// The same where the system writes, and where memory held an undefined number before.
#include <stdio.h>
#include <string.h>

static unsigned keep;

static unsigned low(void)
{
    unsigned x;
    memset((char *)&x + 1, 1, sizeof x - 1);
    keep = x;
    return keep > 5;
}

int main(void)
{
    if (low())
        if (keep & 1) //~ violated[uninit-read]
            puts("odd");
    return 0;
}
