// verdict: UNKNOWN(every run ends, or does what C leaves undefined (an overflow, an invalid access))
// check: --property termination
// slow
// Ends only by an access outside of the array, which is no end to rely on.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    unsigned char a[10];
    unsigned i = (unsigned)__VERIFIER_nondet_int();
    while (1) {
        a[i] = 0;
        i = (i + 1) & 0xff;
        if (__VERIFIER_nondet_int() == 0 && 0)
            break;
    }
}
