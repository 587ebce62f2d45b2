// verdict: UNKNOWN(unmodelled: `__muldc3` means something that is not known here)
// check: --property unreach-call --timeout 20
// The product of complex numbers is a function of the compiler's, and not any number.
#include <assert.h>
int main(void)
{
    double _Complex a, b;
    __real__ a = 1, __imag__ a = 2, __real__ b = 3, __imag__ b = 4;
    double _Complex c = a * b;
    assert(__real__ c == -5);
    return 0;
}
