// verdict: TRUE
// check: --property unreach-call
// A bound of a variable that no unwinding reaches.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = 0;
    while (__VERIFIER_nondet_int()) {
        x += 2;
        if (x > 1000)
            x = 0;
    }
    if (x > 1000 || x < 0)
        reach_error();
    return 0;
}
