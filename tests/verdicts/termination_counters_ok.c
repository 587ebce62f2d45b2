// verdict: TRUE
// check: --property termination
// Strides, both directions, wrap-around of unsigned numbers, early exits, nested loops.
extern int __VERIFIER_nondet_int(void);
static int global;
int main(void)
{
    int n = __VERIFIER_nondet_int(), s = 0;
    for (int i = 0; i < n; i++)
        for (unsigned char j = 3; j != 0; j++)
            s ^= i;
    for (unsigned u = (unsigned)n; u > 7; u -= 3)
        if (__VERIFIER_nondet_int())
            break;
    for (global = 0; global < 1000; global += 7)
        ;
    while (n != 0)
        n /= 2;
    return s;
}
