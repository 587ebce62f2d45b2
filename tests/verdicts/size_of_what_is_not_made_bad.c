// check: --property unreach-call --data-model LP64
// verdict: FALSE(unreach-call)
// The size of what is not allocated here would be just below all that there is: that rules nothing out.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
    if (n <= 0) {
        if (n > -300 && (unsigned)m * 2654435761u == 1567433303u)
            reach_error();
        return 0;
    }
    char *a = malloc((size_t)(n - 1) * 8);
    unsigned long u = (unsigned long)a;
    if (u % 3 == 1 && u > 70000)
        n = 3;
    free(a);
    return n == 1;
}
