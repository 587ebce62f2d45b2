// verdict: FALSE(unreach-call)
// One off in a coefficient, which the third iteration shows.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assert(int);
int main(void)
{
    unsigned int n = __VERIFIER_nondet_uint();
    unsigned long long i = 0, cubes = 0;
    for (;;) {
        __VERIFIER_assert(4 * cubes == i * i * (i + 1) * (i + 1) + i * (i - 1) * (i - 2)); //~ violated[assertion]
        if (i == n)
            break;
        i++;
        cubes += i * i * i;
    }
    return 0;
}
