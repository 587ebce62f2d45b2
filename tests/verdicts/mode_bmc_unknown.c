// verdict: UNKNOWN(abstraction: loops beyond 128 iterations)
// check: --property unreach-call --mode bmc
// No number of iterations is all of them.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    unsigned char x = 0;
    while (__VERIFIER_nondet_int())
        x = x == 200 ? 0 : x + 1;
    if (x > 200)
        reach_error();
    return 0;
}
