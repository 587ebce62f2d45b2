// verdict: FALSE(unreach-call)
// check: --property unreach-call
extern int __VERIFIER_nondet_int(void);
static int reach_error(void) { return 1; }
static int fine(void) { return 1; }

int main(void)
{
    int (*f)(void) = __VERIFIER_nondet_int() ? fine : reach_error;
    return f();
}
