// verdict: TRUE
// check: --property unreach-call
// slow
// What a loop adds is a multiple of four: the low bits of the sum are those that it began with, whatever wraps around.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned first = __VERIFIER_nondet_uint(), n = __VERIFIER_nondet_uint(), sum = first;
    for (unsigned i = 0; i < n; i++)
        sum += __VERIFIER_nondet_uint() & 1 ? 12 : 8;
    if (sum % 4 != first % 4)
        reach_error();
}
