// verdict: TRUE
// slow
// One index runs up, the other one down from the end.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 100000 || n % 2)
        return 0;
    int a[n], b[n];
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < n / 2; i++) {
        b[n - i - 1] = a[n - i - 1];
        b[i] = a[i];
    }
    for (int i = 0; i < n; i++)
        if (a[i] != b[i])
            reach_error();
    return 0;
}
