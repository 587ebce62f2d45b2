// verdict: UNKNOWN(abstraction: may fail for all that is known)
// check: --property unreach-call
// The difference of infinities is a NaN whose sign the standard leaves open, and processors differ.
#include <string.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (x != x)
        return 0;
    double r = x - x;
    unsigned long long bits;
    memcpy(&bits, &r, sizeof bits);
    if (r != r && !(bits >> 63))
        reach_error();
    return 0;
}
