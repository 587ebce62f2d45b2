// verdict: FALSE(unreach-call)
// check: --property unreach-call --timeout 60
// Integer division by hand, cut off after five steps: no invariant holds, and a few iterations show it.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int a = __VERIFIER_nondet_int(), b = 1, counter = 0;
    int r = a, d = b, p = 1, q = 0;
    while (counter++ < 5) {
        if (q != 0 || r != a || d != b * p)
            reach_error();
        if (!(r >= d))
            break;
        d = 2 * d;
        p = 2 * p;
    }
    while (counter++ < 5) {
        if (a != q * b + r || d != b * p)
            reach_error();
        if (p == 1)
            break;
        d = d / 2;
        p = p / 2;
        if (r >= d) {
            r = r - d;
            q = q + p;
        }
    }
    if (a != d * q + r || b != d)
        reach_error();
    return 0;
}
