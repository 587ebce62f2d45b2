// verdict: TRUE
// check: --property termination
// slow
// The inner loop ends the program: that the outer one has no way out is not enough.
extern unsigned __VERIFIER_nondet_uint(void);
extern void exit(int);

int main(void)
{
    unsigned long turns = 1;
    while (turns % 2 == 1) {
        unsigned n = __VERIFIER_nondet_uint() % 10;
        for (unsigned i = 0; i <= n; i++)
            if (turns > 1000)
                exit(0);
        turns += 2;
    }
    return 0;
}
