// Two variables begin anywhere and go down in step: what they have gone down by is the same.
// check: --property unreach-call
// verdict: TRUE
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
    }
    if (i == j && y != 0)
        reach_error();
    return 0;
}
