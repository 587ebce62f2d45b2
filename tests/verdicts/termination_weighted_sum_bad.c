// verdict: FALSE(termination)
// check: --property termination
// As much is lost as is won.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int(), left = 1;
    while (left > 0) {
        if (n > 100) {
            n -= 10;
            left--;
        } else {
            n += 10;
            left++;
        }
    }
    return 0;
}
