// verdict: FALSE(termination)
// check: --property termination
// A loop around a recursive call whose counter the call sets back.
extern int __VERIFIER_nondet_int(void);
int i;

void f(int n)
{
    if (n <= 0) {
        i = 0;
        return;
    }
    for (i = 0; i < 5; i++)
        f(n - 1);
}

int main(void)
{
    f(__VERIFIER_nondet_int());
}
