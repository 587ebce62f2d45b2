// verdict: TRUE
// check: --property unreach-call --list
// says: proved (vacuous)
// Two assumptions that contradict each other: nothing is left to fail.
extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();

    __VERIFIER_assume(x > 10);
    __VERIFIER_assume(x < 5);
    if (x == 7)
        reach_error();
    return 0;
}
