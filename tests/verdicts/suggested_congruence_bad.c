// verdict: FALSE(unreach-call)
// check: --property unreach-call
// All but the last of many steps keep the low bits.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned first = __VERIFIER_nondet_uint(), sum = first;
    for (unsigned i = 0; i < 900; i++)
        sum += i < 899 ? 8 : 10;
    if (sum % 4 != first % 4)
        reach_error();
}
