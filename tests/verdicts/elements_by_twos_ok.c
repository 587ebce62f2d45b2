// verdict: TRUE
// slow
// The index moves on by two, and both elements are written.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 100000 || n % 2)
        return 0;
    int a[n];
    for (int i = 0; i < n; i += 2) {
        a[i] = i;
        a[i + 1] = 7;
    }
    for (int i = 0; i < n; i++)
        if (i % 2 ? a[i] != 7 : a[i] != i)
            reach_error();
    return 0;
}
