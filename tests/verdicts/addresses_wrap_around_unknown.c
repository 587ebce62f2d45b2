// verdict: UNKNOWN(...)
// check: --property unreach-call --timeout 5
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int x;
// Far away and back again: numbers made of addresses wrap around.
int main(void)
{
    unsigned n = 0;
    while (n < 100000)
        n += __VERIFIER_nondet_int() != 0;
    unsigned long a = (unsigned long)&x, b = a + (1UL << 61);
    if (b - (1UL << 61) == a)
        reach_error();
    return 0;
}
