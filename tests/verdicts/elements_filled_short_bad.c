// verdict: FALSE(unreach-call)
// The first one is left out.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
#define N 100000

int main(void)
{
    static int a[N];
    int n = __VERIFIER_nondet_uint() % N;
    for (int i = 1; i < n; i++)
        a[i] = 42;
    for (int i = 0; i < n; i++)
        if (a[i] != 42)
            reach_error();
    return 0;
}
