// verdict: TRUE
// check: --property unreach-call
// That the shift has a value takes the bound of the loop.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), bits = 0;
    for (unsigned i = 0; i < 32; i++) {
        if (i > 31)
            reach_error();
        bits += n >> i & 1;
    }
    return (int)bits;
}
