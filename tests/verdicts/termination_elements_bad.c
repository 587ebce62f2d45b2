// An element of an array comes back to what it was.
// check: --property termination
// verdict: FALSE(termination)
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int a[1048];
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= 1048)
        return 0;
    a[k] = 3;
    while (a[k] > 0)
        a[k] = 4 - a[k];
    return 0;
}
