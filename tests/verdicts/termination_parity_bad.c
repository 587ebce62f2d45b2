// verdict: FALSE(termination)
// check: --property termination
// An even number and an odd one never meet, though no state comes twice in two billion turns.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint(), n = __VERIFIER_nondet_uint();
    while (i != n)
        i += 2;
    return 0;
}
