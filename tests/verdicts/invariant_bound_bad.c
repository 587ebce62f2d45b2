// verdict: FALSE(unreach-call)
// check: --property unreach-call
// One less than the bound of the variable.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = 0;
    while (__VERIFIER_nondet_int()) {
        x += 2;
        if (x > 20)
            x = 0;
    }
    if (x > 19 || x < 0)
        reach_error();
    return 0;
}
