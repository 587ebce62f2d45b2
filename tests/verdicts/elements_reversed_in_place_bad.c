// verdict: FALSE(unreach-call)
// check: --property unreach-call --timeout 60
// The second half is read after it was written.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
enum { N = 12 };
int main(void)
{
    int a[N], b[N], i, x;
    for (i = 0; i < N; i++) {
        a[i] = __VERIFIER_nondet_int();
        b[i] = __VERIFIER_nondet_int();
    }
    for (i = 0; i < N; i++)
        b[i] = a[i];
    for (i = 0; i < N; i++)
        a[i] = a[N - 1 - i];
    for (x = 0; x < N; x++)
        if (a[x] != b[N - 1 - x])
            reach_error();
    return 0;
}
