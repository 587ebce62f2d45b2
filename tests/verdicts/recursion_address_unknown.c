// verdict: UNKNOWN(abstraction: may fail for all that is known)
// check: --property unreach-call --mode ai
// A number that comes back from a recursion may be the address of something.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
static int z;
static unsigned long f(unsigned n)
{
    if (n == 0)
        return (unsigned long)&z;
    return f(n - 1);
}
int main(void)
{
    unsigned long r = f(__VERIFIER_nondet_uint());
    z = 0;
    *(int *)r = 5;
    if (z == 5)
        reach_error();
    return 0;
}
