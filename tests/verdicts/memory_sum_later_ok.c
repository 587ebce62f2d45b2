// verdict: TRUE
// check: --property unreach-call --data-model ILP32
// slow
// A sum in memory that the first iteration begins: what runs suggest of it holds everywhere but where the loop is entered.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
extern void *malloc(unsigned);
int n;
int main(void)
{
    n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000000)
        return 0;
    long long sum[1];
    int *a = malloc(sizeof(int) * n);
    for (int i = 0; i < n; i++)
        a[i] = i % 3 == 0 ? 3 : 0;
    for (int i = 0; i < n; i++)
        if (i == 0)
            sum[0] = 0;
        else
            sum[0] = sum[0] + a[i];
    __VERIFIER_assert(sum[0] <= 3 * n); //~ proved[assertion]
    return 0;
}
