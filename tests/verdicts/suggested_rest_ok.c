// verdict: TRUE
// check: --property unreach-call
// slow
// What a loop adds are multiples of three, and so is the sum, which does not wrap around.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int(), i = 0;
    if (n > 1000000)
        return 0;
    while (i < n)
        i += __VERIFIER_nondet_int() ? 6 : 3;
    if (i % 3 != 0)
        reach_error();
}
