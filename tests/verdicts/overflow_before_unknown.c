// verdict: UNKNOWN(an execution ends before, by signed-overflow in line 11)
// check: --property unreach-call
// Executions that go on to the error have failed before; where sums wrap around, they get there.
extern int __VERIFIER_nondet_int(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x < 0)
        return 0;
    int y = x + 1000000000;
    if (y < 0)
        __assert_fail("y >= 0", "", 0, "");
    return 0;
}
