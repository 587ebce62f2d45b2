// verdict: TRUE
// check: --property unreach-call
// What a loop keeps depends on a flag that it does not change.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    unsigned j = 2, k = 0;
    int flag = __VERIFIER_nondet_int();
    while (__VERIFIER_nondet_int()) {
        if (flag) {
            j = j + 4;
        } else {
            j = j + 2;
            k = k + 1;
        }
    }
    if (k != 0 && j != 2 * k + 2)
        reach_error();
}
