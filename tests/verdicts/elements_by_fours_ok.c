// verdict: TRUE
// slow
// Four elements in each iteration: what holds of the first, the second, the third and the fourth of them.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 4 || n > 100000 || n % 4)
        return 0;
    int a[n];
    for (int i = 1; i <= n / 4; i++) {
        a[i * 4 - 4] = 3;
        a[i * 4 - 3] = 5;
        a[i * 4 - 2] = i;
        a[i * 4 - 1] = 0;
    }
    for (int i = 0; i < n; i++)
        if (i % 4 == 1 ? a[i] != 5 : i % 4 == 2 ? a[i] != i / 4 + 1 : a[i] > 3)
            reach_error();
    return 0;
}
