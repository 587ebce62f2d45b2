// verdict: UNKNOWN(...)
// check: --property unreach-call --timeout 5
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
__attribute__((weak)) void absent(void);
static void present(void) {}
// The address of what nobody defines is null, in a variable, too.
int main(void)
{
    unsigned n = 0;
    while (n < 100000)
        n += __VERIFIER_nondet_int() != 0;
    void (*f)(void) = n & 1 ? present : absent;
    if (!f)
        reach_error();
    return 0;
}
