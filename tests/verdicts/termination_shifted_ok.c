// verdict: TRUE
// check: --property termination
// Ones leave a number at its high end.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint();
    while (i)
        i *= 2;
    return 0;
}
