// verdict: UNKNOWN(...)
// check: --property unreach-call --timeout 5
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
__attribute__((weak)) void absent(void);
// Nobody has to define what is weak; then its address is null.
int main(void)
{
    unsigned n = 0;
    while (n < 100000)
        n += __VERIFIER_nondet_int() != 0;
    if (!absent)
        reach_error();
    return 0;
}
