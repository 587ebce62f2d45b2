// verdict: FALSE(unreach-call)
// check: --property unreach-call
// A loop with two entries: the way in past its head counts.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    int i = 0;
    if (n > 5)
        goto middle;
    while (i < 3) {
        i++;
    middle:
        if (n == 7)
            reach_error();
        i++;
    }
    return 0;
}
