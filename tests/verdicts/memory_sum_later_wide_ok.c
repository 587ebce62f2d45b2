// verdict: TRUE
// slow
// check: --property unreach-call
// The same where the sum is as wide as a pointer, whose bytes nobody has written might be one.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
extern void *malloc(unsigned long);
int n;
int main(void)
{
    n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000000)
        return 0;
    long long sum[1];
    int *a = malloc(sizeof(int) * n);
    for (int i = 0; i < n; i++)
        a[i] = i % 3 == 0 ? 3 : 0;
    for (int i = 0; i < n; i++)
        if (i == 0)
            sum[0] = 0;
        else
            sum[0] = sum[0] + a[i];
    __VERIFIER_assert(sum[0] <= 3 * n); //~ proved[assertion]
    return 0;
}
