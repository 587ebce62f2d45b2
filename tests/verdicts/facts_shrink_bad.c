// verdict: FALSE(valid-deref)
// check: --property valid-memsafety
// One caller hands in a smaller object than the others.
static int last(const int *a, int n) { return a[n - 1]; }
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int four[4] = {1, 2, 3, 4}, three[3] = {1, 2, 3};
    int r = last(four, 4);
    if (__VERIFIER_nondet_int())
        r += last(three, 4);
    return r;
}
