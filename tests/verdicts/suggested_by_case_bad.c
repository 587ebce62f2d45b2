// verdict: FALSE(unreach-call)
// check: --property unreach-call
// With one value of the flag the loop keeps it, with another one it does not.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    unsigned j = 2, k = 0;
    int flag = __VERIFIER_nondet_int();
    while (__VERIFIER_nondet_int()) {
        if (flag > 1000) {
            j = j + 4;
            k = k + 1;
        } else {
            j = j + 2;
            k = k + 1;
        }
    }
    if (k != 0 && j != 2 * k + 2)
        reach_error();
}
