// verdict: TRUE
// Sums that do not overflow are the sums of the wide numbers.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
int main(void)
{
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (a < -1000000 || a > 1000000 || b < -1000000 || b > 1000000)
        return 0;
    int sum = a + b, difference = a - b;
    long long x = a, y = b;
    __VERIFIER_assert((long long)sum * difference == x * x - y * y); //~ proved[assertion]
    return 0;
}
