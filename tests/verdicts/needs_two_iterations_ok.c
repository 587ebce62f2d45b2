// verdict: TRUE
// check: --property unreach-call
// Not inductive with k = 1: `a` and `b` swap.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int a = 1, b = 2, c = 3;
    while (__VERIFIER_nondet_int()) {
        int t = a;
        a = b;
        b = c;
        c = t;
        if (a == b)
            reach_error();
    }
    return 0;
}
