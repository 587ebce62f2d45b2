// verdict: FALSE(unreach-call)
// check: --property unreach-call
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int clamp(int x) { return x < 0 ? 0 : x > 9 ? 10 : x; }
static int twice(int x) { return 2 * clamp(x); }
static int outer(int x) { return twice(x) + 1; }
int main(void)
{
    int r = outer(__VERIFIER_nondet_int());
    if (r < 1 || r > 19)
        reach_error();
    return 0;
}
