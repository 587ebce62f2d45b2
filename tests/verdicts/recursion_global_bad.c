// verdict: FALSE(unreach-call)
// check: --property unreach-call
// Deep in the recursion the global has been changed.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int depth;
static void down(int n)
{
    if (depth == 9)
        reach_error();
    if (n <= 0)
        return;
    depth++;
    down(n - 1);
}
int main(void)
{
    down(__VERIFIER_nondet_int());
    return 0;
}
