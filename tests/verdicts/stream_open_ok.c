// The library points to every open stream, and flushes it in the end.
// check: --property valid-memtrack
// verdict: TRUE
#include <stdio.h>

int main(void)
{
    FILE *f = fopen("a", "w");
    if (f == NULL)
        return 1;
    return 0;
}
