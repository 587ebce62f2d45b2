// verdict: UNKNOWN(...)
// check: --property valid-memsafety --timeout 5
extern int __VERIFIER_nondet_int(void);
static int x;
static int *p = &x;
// On one way the pointer is what it was at the start, on the other null.
int main(void)
{
    unsigned n = 0;
    while (n < 100000)
        n += __VERIFIER_nondet_int() != 0;
    if (__VERIFIER_nondet_int())
        p = 0;
    return *p;
}
