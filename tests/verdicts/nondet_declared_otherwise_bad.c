// verdict: FALSE(unreach-call)
// check: --property unreach-call --data-model ILP32
// Inputs are of the type that their declaration has.
extern float __VERIFIER_nondet_double();
extern long long __VERIFIER_nondet_int();
extern void reach_error(void);

int main(void)
{
    double d = __VERIFIER_nondet_double();
    if (d != d || (double)(float)d != d)
        return 0;
    if (__VERIFIER_nondet_int() == 0x123456789aLL)
        reach_error();
    return 0;
}
