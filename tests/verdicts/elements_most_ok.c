// verdict: TRUE
// slow
// check: --property unreach-call --timeout 60
// No element is above the greatest.
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
    int most = a[0];
    for (i = 0; i < N; i++)
        if (a[i] > most)
            most = a[i];
    for (x = 0; x < N; x++)
        if (a[x] > most)
            reach_error();
    return 0;
}
