// verdict: TRUE
// check: --property unreach-call
// How far one variable is from another, and from one that does not change.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int(), i = 0, x = 0, y = 0;
    if (n < 0)
        return 0;
    while (i < n) {
        i++;
        if (x < 100) {
            x++;
            y++;
        } else {
            x = y = 0;
        }
    }
    if (i != n || x != y)
        reach_error();
    return 0;
}
