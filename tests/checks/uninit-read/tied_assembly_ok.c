// An empty template hides a value from the compiler and leaves it as it is.
#include <stdlib.h>

int main(void)
{
    int n = 3;
    int *p = &n;
    __asm__("" : "+r"(p));
    __asm__("" : "+g"(n));
    __asm__ volatile("" : "+m"(n) : : "memory");
    if (n != 3 || *p != 3) //~ proved[uninit-read]
        abort();
    return 0;
}
