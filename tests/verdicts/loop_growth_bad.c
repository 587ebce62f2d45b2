// The second goes down twice as far now and then.
// check: --property unreach-call
// verdict: FALSE(unreach-call)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_int();
    unsigned y = __VERIFIER_nondet_int();
    unsigned i = x, j = y;
    while (x != 0) {
        x--;
        y--;
        if (__VERIFIER_nondet_int())
            y--;
    }
    if (i == j && y != 0)
        reach_error();
    return 0;
}
