// verdict: TRUE
// slow
// check: --property unreach-call --timeout 60
// Stored is a function of the index: the element at the other end.
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
    for (i = 0; i < N; i++)
        b[i] = a[N - 1 - i];
    for (x = 0; x < N; x++)
        if (b[x] != a[N - 1 - x])
            reach_error();
    return 0;
}
