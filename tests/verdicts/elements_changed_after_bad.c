// verdict: FALSE(unreach-call)
// One of them is written once more.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
#define N 100000

int main(void)
{
    int a[N];
    int n = __VERIFIER_nondet_uint() % N;
    for (int i = 0; i < n; i++)
        a[i] = 42;
    if (n > 5)
        a[n / 2] = 41;
    for (int i = 0; i < n; i++)
        if (a[i] != 42)
            reach_error();
    return 0;
}
