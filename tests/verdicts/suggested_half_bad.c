// verdict: FALSE(unreach-call)
// check: --property unreach-call --timeout 60
// The last of an odd number counts too: small runs that suggest otherwise prove nothing.
void reach_error(void);
int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = 0, k = __VERIFIER_nondet_int();
    if (k < 0 || k > 1000000)
        return 0;
    for (int i = 0; i < k; i++)
        if (i % 2 == 0)
            n++;
    if (k == 4711 && n == k / 2 + 1)
        reach_error();
    return 0;
}
