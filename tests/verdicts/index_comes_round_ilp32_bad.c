// check: --property unreach-call --data-model ILP32
// verdict: FALSE(unreach-call)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static struct s {
    int a, b, c;
} all[10];
int main(void)
{
    int k = __VERIFIER_nondet_int();
    // Twelve times 0x15555556 is 8 in 32 bits.
    if ((k >= 0 && k < 10) || k == 0x15555556) {
        all[k].a = 5;
        if (all[0].c != 0)
            reach_error();
    }
    return 0;
}
