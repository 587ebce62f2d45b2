// verdict: TRUE
// slow
// check: --property unreach-call
// The inner loop begins where the outer one is; memory changes in both.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static unsigned total;
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000000)
        return 0;
    for (int i = 0; i < n; i++) {
        int j = i;
        while (j < n && __VERIFIER_nondet_int()) {
            j += 2;
            total = (total + 3) % 10;
        }
        if (j < i || j > n + 1 || total > 9)
            reach_error();
    }
    return 0;
}
