// verdict: TRUE
// slow
// check: --property unreach-call --data-model ILP32
// What was stored is a product of the index, which is wider than a pointer, and equal factors have equal products.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
extern void *malloc(unsigned);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000000)
        return 0;
    long long *a = malloc(sizeof(long long) * n);
    for (long long i = 0; i < n; i++)
        a[i] = i * i;
    for (long long i = 0; i < n; i++)
        __VERIFIER_assert(a[i] == i * i); //~ proved[assertion]
    return 0;
}
