// verdict: TRUE
// slow
// Each element is the one before and two more.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000)
        return 0;
    int a[n];
    a[0] = 2;
    for (int i = 1; i < n; i++)
        a[i] = a[i - 1] + 2;
    for (int i = 0; i < n; i++)
        if (a[i] != 2 * i + 2)
            reach_error();
    return 0;
}
