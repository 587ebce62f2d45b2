// verdict: TRUE
// A product by additions, in which one of two branches is taken: the equation is that of the branch.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assert(int);
int main(void)
{
    unsigned long long x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    unsigned long long a = x, b = y, p = 0, q = 0;
    while (a != 0 && b != 0) {
        __VERIFIER_assert(p + q + a * b == x * y); //~ proved[assertion]
        if (a > b) {
            a--;
            p += b;
        } else {
            b--;
            q += a;
        }
    }
    return 0;
}
