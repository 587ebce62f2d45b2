// verdict: FALSE(termination)
// check: --property termination
// Lines that are written leave nothing behind; what is in the loop comes round every six times.
#include <stdio.h>

int main(void)
{
    int a = 1, b = 2, c = 3, odd = 0;
    while (a + b + c == 6) {
        printf("%d %d %d\n", a, b, c);
        int old = a;
        if (odd) {
            a = b;
            b = old;
        } else {
            a = c;
            c = old;
        }
        odd = !odd;
    }
    return 0;
}
