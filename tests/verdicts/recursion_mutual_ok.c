// verdict: TRUE
// check: --property unreach-call
// Two functions that call each other, and a global that neither changes.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int kept = 7;
static int odd(unsigned n);
static int even(unsigned n)
{
    return n == 0 ? 1 : odd(n - 1);
}
static int odd(unsigned n)
{
    return n == 0 ? 0 : even(n - 1);
}
int main(void)
{
    int r = even((unsigned)__VERIFIER_nondet_int());
    if (r < 0 || r > 1 || kept != 7)
        reach_error();
    return 0;
}
