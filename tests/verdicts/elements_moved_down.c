// verdict: TRUE
// slow
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#define N 3000

int main(void)
{
    int a[N];
    for (int i = 0; i < N; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < N - 1; i++)
        a[i] = a[i + 1];
    if (a[N - 1] != a[N - 2])
        reach_error();
    return 0;
}
