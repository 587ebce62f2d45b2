// verdict: FALSE(termination)
// check: --property termination
// Two turns of the loop inside undo each other; either by itself gets on.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    while (n > 0 && n < 1000) {
        int turn = 0;
        while (turn < 3) {
            turn++;
            if (turn == 2)
                n--;
            if (turn == 3)
                n++;
        }
    }
}
