// verdict: TRUE
// check: --property unreach-call --entry g --timeout 60
// slow
// Which states occur with which values is no conjunction of bounds: each state asks something else of what was seen.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int g(void)
{
    unsigned turns = 0;
    int state = 3, seen = 0;
    while (1) {
        int in = __VERIFIER_nondet_int();
        turns++;
        if (state == 3) {
            seen = in;
            state = in > 100 ? 40 : in < -100 ? 41 : 7;
        } else if (state == 7) {
            if (seen > 100 || seen < -100)
                reach_error();
            if (in == (int)turns)
                state = 3;
        } else if (state == 40) {
            if (seen <= 100)
                reach_error();
            seen = in < 0 ? -101 : seen;
            state = in < 0 ? 41 : 3;
        } else {
            if (seen >= -100)
                reach_error();
            if (turns > 500)
                state = 3;
        }
    }
}
int main(void)
{
    return g();
}
