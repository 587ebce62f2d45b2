// %n writes the number of characters so far.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    static int n = 0;
    printf("abc%nd\n", &n);
    assert(n != 3); //~ violated[assertion]
    return 0;
}
