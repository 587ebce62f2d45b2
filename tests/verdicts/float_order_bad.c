// verdict: FALSE(unreach-call)
// check: --property unreach-call
// A NaN is not ordered.
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);
int main(void)
{
    float x = __VERIFIER_nondet_float();
    if (!(x * 0 == 0))
        reach_error();
    return 0;
}
