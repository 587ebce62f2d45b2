// One variable begins anywhere and goes up by two with every one of another.
// check: --property unreach-call
// verdict: TRUE
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned a = __VERIFIER_nondet_uint();
    unsigned x = a, i = 0;
    while (__VERIFIER_nondet_uint()) {
        x += 2;
        i++;
    }
    if (x != a + 2 * i)
        reach_error();
    return 0;
}
