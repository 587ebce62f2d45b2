// verdict: UNKNOWN(abstraction: may fail for all that is known)
// check: --property unreach-call
// FIXME: the check is behind the loop, so that no iteration says anything about it: parity would have to be found as an
// invariant, which k-induction does not do.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    unsigned x = 0;
    while (__VERIFIER_nondet_int())
        x += 2;
    if (x % 2)
        reach_error();
    return 0;
}
