// verdict: FALSE(termination)
// check: --property termination
// The recursion does not end, because memory stays as it is.
extern unsigned __VERIFIER_nondet_uint(void);
static unsigned left;
static void use(unsigned most)
{
    if (left == 0)
        return;
    left -= left < most ? left : most;
    use(most);
}
int main(void)
{
    left = __VERIFIER_nondet_uint();
    use(left % 2);
    return 0;
}
