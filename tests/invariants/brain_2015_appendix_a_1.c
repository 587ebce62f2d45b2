// Appendix A of Brain et al. (SAS 2015): 1-invariants over intervals, as the paper has them. What is shown are bounds at
// the head of the loop; the paper's are of the values that come round, without those that enter it.
// show: --domain intervals
// invariant: 19: x <= 9
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    int w = 0;
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    int z = __VERIFIER_nondet_int();

    __VERIFIER_assume(x == y && y == z && -10 <= x && x < 0);
    // Signed overflow is none of the paper's questions: its numbers wrap.

    while (1) {
        z = (int)-(unsigned)y;
        y = (int)-(unsigned)x;
        w = (int)((unsigned)w + 1);
        x = (int)((unsigned)x + (unsigned)w);
        if (w % 2 != 1)
            w /= 3;
        if (x >= 10)
            x = y = z = 0;
        if (!(x <= (int)((unsigned)z + 3)))
            reach_error();
    }
}
