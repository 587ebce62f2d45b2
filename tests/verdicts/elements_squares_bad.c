// verdict: FALSE(unreach-call)
// check: --property unreach-call --data-model ILP32
// One of the products is another one.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
extern void *malloc(unsigned);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 9)
        return 0;
    long long *a = malloc(sizeof(long long) * n);
    for (long long i = 0; i < n; i++)
        a[i] = i * i;
    for (long long i = 0; i < n; i++)
        __VERIFIER_assert(a[i] == i * i + (i == 5)); //~ violated[assertion]
    return 0;
}
