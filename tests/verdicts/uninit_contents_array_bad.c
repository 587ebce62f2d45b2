// verdict: FALSE(unreach-call)
// check: --property unreach-call
// An element at an unknown index of an array that was not written, which is the same however often it is read.
#include <string.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    int a[10], b[10];
    unsigned i = __VERIFIER_nondet_uint();
    memcpy(b, a, sizeof a);
    if (i < 10 && a[i] == 1234567 && b[i] == a[i] && a[(i + 1) % 10] == 7654321)
        reach_error();
    return 0;
}
