// verdict: FALSE(unreach-call)
// check: --property unreach-call
// Thirty answers in a row, each another one; a wrong one begins again.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int state, last;
static int code(int at)
{
    return (at * 7919 + last * 31) % 10007;
}
int main(void)
{
    while (1) {
        int in = __VERIFIER_nondet_int();
        if (in == code(state)) {
            last = in;
            state++;
        } else {
            state = 0;
            last = 0;
        }
        if (state == 30)
            reach_error();
    }
}
