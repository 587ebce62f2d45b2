// verdict: TRUE
// check: --property unreach-call
// What rounding keeps: signs of differences and products, and the order of sums.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
int main(void)
{
    double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double();
    if (x < y && !(y - x > 0))
        reach_error();
    if (x >= 0 && y >= 1 && y < 1e300 && !(x * y >= x))
        reach_error();
    if (x >= 0 && y >= 0 && !(x + y >= y))
        reach_error();
    return 0;
}
