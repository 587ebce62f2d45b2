// verdict: UNKNOWN(recursion of `f`: no ranking function found)
// check: --property termination
// What a call below may have written is not known after it: the bound may grow.
extern int __VERIFIER_nondet_int(void);
int bound = 10, last;

void f(int n)
{
    if (n >= bound)
        return;
    if (n == 9)
        bound += 10;
    f(n == 9 ? 0 : n + 1);
    last = n;
}

int main(void)
{
    f(__VERIFIER_nondet_int());
}
