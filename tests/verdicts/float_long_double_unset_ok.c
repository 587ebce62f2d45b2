// verdict: TRUE
// check: --property unreach-call
// A `long double` that was not set is one of its values, and no pattern that the processor refuses.
#include <math.h>
extern void reach_error(void);
int main(void)
{
    long double a, b;
    long double c = fmaxl(a, b), d = fminl(a, b);
    if (!__builtin_isnan(a) && !__builtin_isnan(b) && !(c >= a && c >= b && d <= a && d <= b))
        reach_error();
    if (!__builtin_isnan(a) && !__builtin_isinf(a) && !__builtin_isnormal(a) && __builtin_fabsl(a) > 1)
        reach_error();
    return 0;
}
