// verdict: TRUE
// check: --property termination
// The counter decides, though only by what another number was computed from it.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    unsigned turns = 0, left = 1;
    while (__VERIFIER_nondet_int() && left) {
        turns += 1;
        left = 1000 - turns;
    }
    return 0;
}
