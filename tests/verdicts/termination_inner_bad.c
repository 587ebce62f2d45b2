// verdict: FALSE(termination)
// check: --property termination
// The outer loop is never left, whatever the inner one does.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned long turns = 1, sum = 0;
    while (turns % 2 == 1) {
        unsigned n = __VERIFIER_nondet_uint();
        for (unsigned i = 0; i < n; i++)
            sum += i;
        turns += 2;
    }
    return sum != 0;
}
