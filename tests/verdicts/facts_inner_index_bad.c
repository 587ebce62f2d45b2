// verdict: FALSE(valid-deref)
// check: --property valid-memsafety
// An index outside its array is no error by itself here, so it does not tell that the index was inside.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int a[4] = {0};
    a[__VERIFIER_nondet_int() ? 4 : 1] = 1;
    return a[0];
}
