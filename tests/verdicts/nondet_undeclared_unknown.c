// An undeclared function returns an `int`, and this one returns a `short`, which is never that large: this was FALSE.
// check: --property unreach-call
// verdict: UNKNOWN(`__VERIFIER_nondet_short` is declared with a wider type than it has)
extern void reach_error(void);

int main(void)
{
    int x = __VERIFIER_nondet_short();
    if (x > 100000)
        reach_error();
    return 0;
}
