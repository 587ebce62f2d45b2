// An error function without a body may return: nothing says that it does not.
// check: --property termination
// verdict: UNKNOWN(shown only if `reach_error` does not return)
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    if (__VERIFIER_nondet_int() == 7) {
        reach_error();
        while (1) {
        }
    }
    return 0;
}
