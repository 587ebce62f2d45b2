// What holds of every `int` holds of every `short`.
// check: --property unreach-call
// verdict: TRUE
extern void reach_error(void);

int main(void)
{
    int x = __VERIFIER_nondet_short();
    if (x > 100000 && x < 0)
        reach_error();
    return 0;
}
