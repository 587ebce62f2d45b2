// verdict: TRUE
// check: --property unreach-call --data-model ILP32
extern float __VERIFIER_nondet_double();
extern void reach_error(void);

int main(void)
{
    double d = __VERIFIER_nondet_double();
    if (d == d && (double)(float)d != d)
        reach_error();
    return 0;
}
