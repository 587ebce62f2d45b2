// verdict: FALSE(termination)
// check: --property termination
// Only for some inputs.
extern int __VERIFIER_nondet_int(void);
static void spin(int x)
{
    while (x == 4711)
        ;
}
int main(void)
{
    spin(__VERIFIER_nondet_int());
    return 0;
}
