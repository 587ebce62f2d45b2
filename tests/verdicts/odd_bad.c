// verdict: FALSE(unreach-call)
// check: --property unreach-call
// The low bit stays, the one above does not.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void)
{
    unsigned x = 5;
    while (__VERIFIER_nondet_uint()) {
        x = x + 2 * __VERIFIER_nondet_uint();
        if (x == 0 || (x & 3) != 1)
            reach_error();
    }
    return 0;
}
