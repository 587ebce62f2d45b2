// verdict: TRUE
// check: --property termination
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    unsigned a = (unsigned)__VERIFIER_nondet_int(), b = (unsigned)__VERIFIER_nondet_int();
    while (b != 0) {
        unsigned t = a % b;
        a = b;
        b = t;
    }
    return 0;
}
