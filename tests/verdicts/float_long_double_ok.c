// verdict: TRUE
// check: --property unreach-call
// The extended format has 64 digits: every 64-bit integer comes back.
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void)
{
    unsigned long i = __VERIFIER_nondet_ulong();
    long double x = i;
    if ((unsigned long)x != i)
        reach_error();
    if (i > 0 && !(x / 2 < x))
        reach_error();
    return 0;
}
