// check: --property unreach-call
// verdict: FALSE(unreach-call)
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void reach_error(void);
static struct s {
    int a, b, c;
} all[10];
int main(void)
{
    unsigned long k = __VERIFIER_nondet_ulong();
    // So it is of 1537228672809129302, of which twelve times are 8 in the bits of an address.
    if (k < 10 || (k * k * 7 + k == 11785419824869991314UL && k >> 60 == 1)) {
        all[k].a = 5;
        if (all[0].c != 0)
            reach_error();
    }
    return 0;
}
