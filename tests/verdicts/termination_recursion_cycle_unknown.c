// FIXME: which argument starts the cycle no formula is asked.
// verdict: UNKNOWN(recursion of `one`: no ranking function found)
// check: --property termination
// From 12345 on three calls follow each other for ever: which number that is, a formula says.
extern int __VERIFIER_nondet_int(void);
static int two(int n);

static int one(int n)
{
    if (n < 12340 || n > 12347)
        return 0;
    return two(n == 12347 ? 12345 : n + 1);
}

static int two(int n)
{
    return 1 + one(n);
}

int main(void)
{
    return one(__VERIFIER_nondet_int());
}
