// verdict: FALSE(termination)
// check: --property termination
// Nothing in the loop looks at the counter, so it need not come round for the loop to go on for ever.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    unsigned turns = 0;
    while (__VERIFIER_nondet_int())
        turns += 2;
    if (turns % 2)
        reach_error();
    return 0;
}
