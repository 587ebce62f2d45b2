// What overflows behind the call of an error function overflows, if it returns.
// check: --property no-overflow
// verdict: UNKNOWN(shown only if `reach_error` does not return)
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x > 1000) {
        reach_error();
        return x + 1000;
    }
    return x < 0 ? 0 : x + 1;
}
