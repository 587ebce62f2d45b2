// verdict: TRUE
// check: --property termination
// McCarthy's 91 without recursion: 21 calls that are left weigh as much as n going up by 2 * 11 less one.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int(), left = 1;
    while (left > 0) {
        if (n > 100) {
            n -= 10;
            left--;
        } else {
            n += 11;
            left++;
        }
    }
    return 0;
}
