// Without an end of the string, the loop leaves the object, and what it finds there nobody knows.
// check: --property termination
// verdict: UNKNOWN(every run ends, or does what C leaves undefined (an overflow, an invalid access))
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        n = 1;
    char *s = __builtin_alloca((unsigned)n);
    while (*s != '\0')
        s++;
    return 0;
}
