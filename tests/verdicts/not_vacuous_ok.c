// verdict: TRUE
// check: --property unreach-call --list
// says: error-call: proved (all executions
// One way to the check leads through an assumption that nothing passes, the other does not.
extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();

    if (__VERIFIER_nondet_int())
        __VERIFIER_assume(0);
    __VERIFIER_assume(x < 5);
    if (x == 7)
        reach_error();
    return 0;
}
