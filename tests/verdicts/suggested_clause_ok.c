// verdict: TRUE
// check: --property unreach-call
// A disjunction that the loop looks at before it takes new values over.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int low = 0, high = 0, other = 0;
    while (__VERIFIER_nondet_int()) {
        int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int();
        if (a <= b && (b >= 50 || b <= c)) {
            low = a;
            high = b;
            other = c;
        }
    }
    if (low > high || (high < 50 && high > other))
        reach_error();
}
