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
    // Twelve times this is 8, in as many bits as an address has: a member of another name is written.
    if (k < 10 || k == 1537228672809129302) {
        all[k].a = 5;
        if (all[0].c != 0)
            reach_error();
    }
    return 0;
}
