// verdict: TRUE
// check: --property unreach-call --timeout 60
// slow
// What is stored is no greater than a number that only the program knows.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
enum { N = 1000 };
int main(void)
{
    int a[N], b[N], i, x;
    for (i = 0; i < N; i++) {
        a[i] = __VERIFIER_nondet_int();
        b[i] = __VERIFIER_nondet_int();
    }
    int limit = __VERIFIER_nondet_int();
    for (i = 0; i < N; i++) {
        int v = __VERIFIER_nondet_int();
        if (v > limit)
            v = limit;
        a[i] = v;
    }
    for (x = 0; x < N; x++)
        if (a[x] > limit)
            reach_error();
    return 0;
}
