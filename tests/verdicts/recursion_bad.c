// verdict: FALSE(unreach-call)
// check: --property unreach-call
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int sum(int n) { return n <= 0 ? 0 : n + sum(n - 1); }
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n >= 0 && n < 3 && sum(n) == 3)
        reach_error();
    return 0;
}
