// verdict: TRUE
// slow
// check: --property unreach-call --timeout 60
// A flag that is still set says that all elements are the same.
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
    int same = 1;
    for (i = 0; i < N; i++)
        if (a[i] != b[i])
            same = 0;
    if (same)
        for (x = 0; x < N; x++)
            if (a[x] != b[x])
                reach_error();
    return 0;
}
