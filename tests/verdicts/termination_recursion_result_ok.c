// verdict: TRUE
// check: --property termination
// That the outer call goes down needs what the inner one returns.
extern int __VERIFIER_nondet_int(void);

int mccarthy(int n)
{
    return n > 100 ? n - 10 : mccarthy(mccarthy(n + 11));
}

int main(void)
{
    return mccarthy(__VERIFIER_nondet_int());
}
