// verdict: TRUE
// check: --property termination
// The recursion ends because of what it does to memory.
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
    use(3);
    return 0;
}
