// verdict: UNKNOWN(abstraction: may fail for all that is known)
// check: --property valid-memsafety
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
