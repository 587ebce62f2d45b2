// verdict: FALSE(valid-deref)
// check: --property valid-memsafety
// Another member of the union, another size: the halves come from elsewhere.
extern int __VERIFIER_nondet_int(void);
static int a[8];
static union { unsigned long whole; unsigned half[2]; } u = {3};
int main(void)
{
    if (__VERIFIER_nondet_int())
        u.half[1] = 1;
    return a[u.whole];
}
