// verdict: TRUE
// check: --property termination
// The loop inside ends with its first turn, by the one way out or the other, and has counted by then.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    while (n < 10) {
        int done = 0;
        while (done == 0) {
            done = __VERIFIER_nondet_int();
            n++;
            if (done == 0)
                break;
        }
    }
}
