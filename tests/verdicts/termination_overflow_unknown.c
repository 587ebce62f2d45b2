// verdict: UNKNOWN(every run ends, or does what C leaves undefined (an overflow, an invalid access))
// check: --property termination
// Goes on for ever if the sum wraps around; C leaves that open, so neither verdict is safe.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    for (int x = __VERIFIER_nondet_int(); ; x++)
        if (x == 5 && 0)
            break;
}
