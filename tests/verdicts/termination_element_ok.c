// verdict: TRUE
// check: --property termination
// What counts is an element that the inner loop does not move away from.
extern int __VERIFIER_nondet_int(void);
static int drained(int a[], int n)
{
    int i, turns = 0;
    for (i = 0; i < n; i++)
        while (a[i] > 0) {
            a[i]--;
            turns ^= 1;
        }
    return turns;
}
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        n = 1;
    int a[n];
    return drained(a, n);
}
