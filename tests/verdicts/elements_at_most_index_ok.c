// verdict: TRUE
// slow
// What a later loop asks of each element and its index, this one brings about.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 100000 || n % 2)
        return 0;
    int a[n];
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int i = 1; i <= n / 2; i++) {
        if (a[2 * i - 2] > 2 * i - 2)
            a[2 * i - 2] = 2 * i - 2;
        if (a[2 * i - 1] > 2 * i - 1)
            a[2 * i - 1] = 2 * i - 1;
    }
    for (int i = 0; i < n; i++)
        if (a[i] > i)
            reach_error();
    return 0;
}
