// check: --property unreach-call --data-model LP64
// verdict: TRUE
// As many elements as any int allows, filled and read again.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n <= 0)
        return 0;
    long *a = malloc(sizeof(long) * n);
    for (int i = 0; i < n; i++)
        a[i] = n;
    for (int i = 0; i < n; i++)
        if (a[i] != n)
            reach_error();
    return 0;
}
