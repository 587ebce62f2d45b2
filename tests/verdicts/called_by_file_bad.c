// check: --property called_by_file.prp
// verdict: FALSE(unreach-call)
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x > 10)
        reach_error();
    assert(x < 10);
    return 0;
}
