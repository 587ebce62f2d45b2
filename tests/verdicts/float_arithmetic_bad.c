// verdict: FALSE(unreach-call)
// check: --property unreach-call
// Sums are rounded: some x in [1, 2] is lost beside 1e16.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (!(x >= 1 && x <= 2))
        return 0;
    if (1e16 + x - 1e16 != x)
        reach_error();
    return 0;
}
