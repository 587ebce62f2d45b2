// verdict: FALSE(valid-deref)
// check: --property valid-deref
// A file that is not there is among the first things that runs try, before anything is proved.
#include <stdio.h>
int main(void)
{
    FILE *f = fopen("x", "r");
    int c = fgetc(f);
    fclose(f);
    return c == 3;
}
