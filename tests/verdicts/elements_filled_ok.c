// verdict: TRUE
// What every iteration writes, all elements that were written hold.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
#define N 100000

int main(void)
{
    int a[N];
    int n = __VERIFIER_nondet_uint() % N;
    for (int i = 0; i < n; i++)
        a[i] = 42;
    for (int i = 0; i < n; i++)
        if (a[i] != 42)
            reach_error();
    return 0;
}
