// verdict: TRUE
// slow
// An index that counts down ends below 0.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
#define N 100000

int main(void)
{
    int a[N];
    int n = __VERIFIER_nondet_uint() % N;
    for (int i = n - 1; i >= 0; i--)
        a[i] = i & 7;
    for (int i = 0; i < n; i++)
        if (a[i] < 0 || a[i] > 7)
            reach_error();
    return 0;
}
