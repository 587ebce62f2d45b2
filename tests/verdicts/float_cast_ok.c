// verdict: TRUE
// check: --property no-overflow
// A float has 24 digits: integers up to 2^24 come back, and what is below 2^31 fits.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int i = __VERIFIER_nondet_int();
    if (i < -(1 << 24) || i > 1 << 24)
        return 0;
    float f = (float)i;
    return (int)f + 1 > i ? 0 : 1;
}
