// A property file asks about calls of one function: an assertion that fails before it is reached ends the program.
// check: --property called_by_file.prp
// verdict: TRUE
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(x < 10);
    if (x >= 10)
        reach_error();
    return 0;
}
