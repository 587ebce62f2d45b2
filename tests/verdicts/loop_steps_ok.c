// Signed sums say whether they overflow; what they add is known even so.
// check: --property unreach-call
// verdict: TRUE
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int i = 0, j = 0, n = __VERIFIER_nondet_int();
    if (n > 1000000)
        return 0;
    while (i < n) {
        j += 2;
        i++;
    }
    if (n >= 0 && j != 2 * n)
        reach_error();
    return 0;
}
