// verdict: TRUE
// check: --property termination
extern int __VERIFIER_nondet_int(void);
static int down(int n) { return n <= 0 ? 0 : 1 + down(n - 1); }
int main(void) { return down(__VERIFIER_nondet_int()) & 1; }
