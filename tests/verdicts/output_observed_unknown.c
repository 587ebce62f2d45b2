// verdict: UNKNOWN(abstraction: may fail for all that is known)
// check: --property unreach-call --mode ai
// Writing may fail, and a table of functions is one way to ask.
#include <stdio.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int (*const asks[1])(FILE *) = {ferror};
int main(void)
{
    while (__VERIFIER_nondet_int())
        puts("hello");
    if (asks[0](stdout))
        reach_error();
    return 0;
}
