// The program has no function by which tasks say that an error is reached: its assertions are what is asked.
// check: --property called_by_file.prp
// verdict: FALSE(unreach-call)
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(x < 10);
    return 0;
}
