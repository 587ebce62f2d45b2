// verdict: TRUE
// check: --property unreach-call
// Some execution ends where a sum overflows. Where sums wrap around, the assertion holds as well.
extern int __VERIFIER_nondet_int(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
int main(void)
{
    int sum = __VERIFIER_nondet_int(), i = 0;
    while (i < 3) {
        sum = sum + 1000000000;
        i++;
    }
    if (i != 3)
        __assert_fail("i == 3", "", 0, "");
    return 0;
}
