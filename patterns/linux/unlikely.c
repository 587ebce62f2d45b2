/* A condition is marked unlikely. Input: the condition. Without this pattern the versions are shown equal, too: the
 * mark has no meaning for what is computed. */
#include "verify-pattern.h"

VERIFY_OLD(unlikely, int c) {
    int taken = c != 0;
    VERIFY_OUTPUT(taken);
}

VERIFY_NEW(unlikely, int c) {
    int taken = __builtin_expect(!!(c), 0) != 0;
    VERIFY_OUTPUT(taken);
}
