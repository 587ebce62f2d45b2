// The end of a string is met because nothing outside of an object is read, which is shown first.
// check: --property termination
// verdict: TRUE
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int length(const char *s) {
    const char *p = s;
    while (*p != '\0')
        p++;
    return (int)(p - s);
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        n = 1;
    char *s = __builtin_alloca((unsigned)n);
    s[n - 1] = '\0';
    return length(s);
}
