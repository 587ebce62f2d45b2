/* Two outputs, with other code between the calls' results. */
#include "verify-pattern.h"

int low(int);
int high(int);
int pair_of(int, int);

VERIFY_OLD(both, int x) {
    int a = low(x), b = high(x);
    VERIFY_OUTPUT(a);
    VERIFY_OUTPUT(b);
}

VERIFY_NEW(both, int x) {
    int a = pair_of(x, 0), b = pair_of(x, 1);
    VERIFY_OUTPUT(a);
    VERIFY_OUTPUT(b);
}
