// verdict: TRUE
// check: --property unreach-call --timeout 100
// No loop is left, so one question has all executions; it is asked until it is answered, though it is not an easy one.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int most(const int *x)
{
    long long m = 0;
    for (int i = 0; i < 5; i++)
        m = m < x[i] ? x[i] : m;
    return m;
}
int main(void)
{
    int x[5], t;
    for (int i = 0; i < 5; i++)
        x[i] = __VERIFIER_nondet_int();
    int a = most(x);
    t = x[0], x[0] = x[1], x[1] = t;
    int b = most(x);
    t = x[0];
    for (int i = 0; i < 4; i++)
        x[i] = x[i + 1];
    x[4] = t;
    if (a != b || a != most(x))
        reach_error();
    return 0;
}
