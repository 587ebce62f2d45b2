// Nothing overflows, whether the error function returns or not.
// check: --property no-overflow
// verdict: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x > 1000)
        reach_error();
    return x > 0 ? x - 1 : x + 1;
}
