// check: --property unreach-call
// verdict: TRUE
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static struct s {
    int a, b, c;
} all[10];
// An index of 32 bits does not let an address come round.
int main(void)
{
    int n = __VERIFIER_nondet_int(), at = 0;
    for (int i = 0; i < n; i++) {
        int k = __VERIFIER_nondet_int();
        if (k < 0 || k >= 10)
            return 0;
        all[k].a = 5;
        all[(unsigned long)__VERIFIER_nondet_uint() % 10].b = 6;
        at = k;
    }
    if (all[at].c != 0)
        reach_error();
    return 0;
}
