// Arguments that no C text of numbers and pointers gives.
// scan: --entry byval
// replay: not confirmed: `byval` takes a complex number by value
#include <complex.h>
int byval(float _Complex p) {
    int d = crealf(p) > 0 ? 0 : 0;
    return 10 / d;
}
