// verdict: TRUE
// check: --property no-overflow
// Bounds of numbers: a byte plus a byte fits, and so does what a condition limits.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar(), n = __VERIFIER_nondet_int();
    int r = a + b;
    if (n > -1000 && n < 1000)
        r = r * n + 7;
    for (int i = 0; i < 100; i++)
        r ^= i * i;
    return r & 1;
}
