// verdict: UNKNOWN(no ranking function found for the loop in `main`, line 10)
// check: --property termination
// slow
// Steps of three meet every number in the end.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint(), n = __VERIFIER_nondet_uint();
    while (i != n)
        i += 3;
    return 0;
}
