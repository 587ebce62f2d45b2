// verdict: FALSE(termination)
// check: --property termination
// Two calls of one activation, the first with the same arguments again: that the second goes down shows nothing, and the
// first goes on for ever.
extern unsigned __VERIFIER_nondet_uint(void);

unsigned f(unsigned x, unsigned y)
{
    if (x == 0)
        return y + 1;
    if (y == 0)
        return f(x - 1, 1);
    unsigned r = f(x, y);
    return f(x - 1, r);
}

int main(void)
{
    return f(__VERIFIER_nondet_uint(), __VERIFIER_nondet_uint());
}
