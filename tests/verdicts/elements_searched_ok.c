// verdict: TRUE
// check: --property unreach-call --timeout 60
// slow
// What was looked for is not among those before the place where it was found.
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
    int wanted = __VERIFIER_nondet_int();
    i = 0;
    while (i < N && a[i] != wanted)
        i++;
    for (x = 0; x < i; x++)
        if (a[x] == wanted)
            reach_error();
    return 0;
}
