// verdict: TRUE
// check: --property unreach-call
// The sum of the arguments stays the same all the way down.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
static unsigned add(unsigned m, unsigned n)
{
    if (n == 0)
        return m;
    return add(m + 1, n - 1);
}
int main(void)
{
    unsigned m = __VERIFIER_nondet_uint(), n = __VERIFIER_nondet_uint();
    if (add(m, n) != m + n)
        reach_error();
    return 0;
}
