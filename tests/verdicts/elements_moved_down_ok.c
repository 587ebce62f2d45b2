// verdict: TRUE
// slow
// check: --property unreach-call --timeout 60
// Each element is what its neighbour was, in place.
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
        b[i] = a[i];
    for (i = 0; i + 1 < N; i++)
        a[i] = a[i + 1];
    for (x = 0; x + 1 < N; x++)
        if (a[x] != b[x + 1])
            reach_error();
    return 0;
}
