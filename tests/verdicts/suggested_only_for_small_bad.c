// verdict: FALSE(unreach-call)
// check: --property unreach-call --timeout 60
// slow
// `twice == 2*i` in most short runs, and in the first iterations of all.
void reach_error(void);
unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), twice = 0;
    for (unsigned i = 0; i < n; i++) {
        twice += 2;
        if (i == 30)
            twice++;
    }
    if (twice != 2 * n)
        reach_error();
    return 0;
}
