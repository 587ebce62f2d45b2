// verdict: TRUE
// check: --property unreach-call
// witness: correctness
// Invariants of two loops, one in the other, with an unsigned number and one in memory.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static unsigned total;

int main(void)
{
    int n = __VERIFIER_nondet_int(), i = 0;

    if (n < 0 || n > 1000000)
        return 0;
    while (i < n) {
        int j = i;
        while (j < n && __VERIFIER_nondet_int()) {
            j += 2;
            total = (total + 3) % 10;
        }
        if (j < i || j > n + 1 || total > 9)
            reach_error();
        i++;
    }
    return 0;
}
