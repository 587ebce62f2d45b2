// verdict: TRUE
// check: --property unreach-call --timeout 60
// slow
// 0 <= 2*n - i <= 1 and i <= 2*k.
void reach_error(void);
int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = 0, k = __VERIFIER_nondet_int();
    if (k < -1000000 || k > 1000000)
        return 0;
    for (int i = 0; i < 2 * k; i++)
        if (i % 2 == 0)
            n++;
    if (k >= 0 && n != k)
        reach_error();
    return 0;
}
