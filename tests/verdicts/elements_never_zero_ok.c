// verdict: TRUE
// No element is zero, as only what is another number is stored.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000)
        return 0;
    int a[n];
    for (int i = 0; i < n; i++) {
        int v = __VERIFIER_nondet_int();
        a[i] = v != 0 ? v : 10;
    }
    for (int i = 0; i < n; i++)
        if (a[i] == 0)
            reach_error();
    return 0;
}
