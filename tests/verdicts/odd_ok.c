// verdict: TRUE
// check: --property unreach-call
// What is added is even, so the low bit stays what it was.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void)
{
    unsigned x = 5;
    while (__VERIFIER_nondet_uint()) {
        x = x + 4 * __VERIFIER_nondet_uint();
        if (x == 0 || (x & 3) != 1)
            reach_error();
    }
    return 0;
}
