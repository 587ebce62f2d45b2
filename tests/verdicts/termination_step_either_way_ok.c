// verdict: TRUE
// check: --property termination
// Which of the two goes up depends on what the loop leaves as it is.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int step = __VERIFIER_nondet_int() ? 1 : -1;
    int y = __VERIFIER_nondet_int(), z = __VERIFIER_nondet_int();
    if (y < -1000 || z < -1000)
        return 0;
    while (y < 100 && z < 100) {
        y += step;
        z -= step;
    }
    return 0;
}
