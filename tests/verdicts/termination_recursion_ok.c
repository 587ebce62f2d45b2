// verdict: TRUE
// check: --property termination
// Recursion ends where a ranking function goes down with every call, nested ones and those through others included.
extern int __VERIFIER_nondet_int(void);

int ackermann(unsigned m, unsigned n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

int is_even(unsigned n);
int is_odd(unsigned n)
{
    return n == 0 ? 0 : is_even(n - 1);
}
int is_even(unsigned n)
{
    return n == 0 ? 1 : is_odd(n - 1);
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100)
        return 0;
    return ackermann(n, n) + is_odd(n);
}
