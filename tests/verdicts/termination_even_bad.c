// verdict: FALSE(termination)
// check: --property termination
// Steps of two miss the bound.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    unsigned char c = (unsigned char)__VERIFIER_nondet_int();
    while (c != 100)
        c += 2;
    return 0;
}
