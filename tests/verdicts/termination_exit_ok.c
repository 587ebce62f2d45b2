// verdict: TRUE
// check: --property termination
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    while (1) {
        if (__VERIFIER_nondet_int())
            exit(1);
        abort();
    }
}
