// verdict: FALSE(termination)
// check: --property termination
// With the right input every time the number stays odd.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned long n = 1;
    while (n != 0) {
        if (__VERIFIER_nondet_int() > 0)
            n += 2;
        else
            n /= 2;
    }
    return 0;
}
