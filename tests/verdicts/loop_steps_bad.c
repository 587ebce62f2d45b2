// The steps are not always the same: after an odd one the sum is another.
// check: --property unreach-call
// verdict: FALSE(unreach-call)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int i = 0, j = 0, n = __VERIFIER_nondet_int();
    if (n > 1000)
        return 0;
    while (i < n) {
        j += 2;
        if (j == 14)
            j += 2;
        i++;
    }
    if (n >= 0 && j != 2 * n)
        reach_error();
    return 0;
}
