// verdict: FALSE(valid-deref)
// check: --property valid-memsafety
// A word may be longer than what it is put into.
#include <stdio.h>

int main(void)
{
    int code;
    char word[16];
    if (scanf("%i", &code) != 1 || code != 0x1234)
        return 1;
    if (scanf("%s", word) != 1)
        return 1;
    return word[0] == 'x';
}
