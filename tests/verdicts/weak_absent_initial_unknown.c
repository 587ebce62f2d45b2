// verdict: UNKNOWN(...)
// check: --property unreach-call --timeout 5
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern int absent __attribute__((weak));
static int *p = &absent;
// Nobody has to define what is weak; then its address is null.
int main(void)
{
    unsigned n = 0;
    while (n < 100000)
        n += __VERIFIER_nondet_int() != 0;
    if (!p)
        reach_error();
    return 0;
}
