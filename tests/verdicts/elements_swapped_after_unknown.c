// verdict: UNKNOWN(abstraction: may fail for all that is known)
// check: --mode ai
// FIXME: an execution fails, after more iterations than are followed. It was called impossible once.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#define N 3000
static unsigned magic;

int main(void)
{
    int a[N];
    magic = __VERIFIER_nondet_int();
    for (int i = 0; i < N; i++)
        a[i] = N - i;
    for (int i = 0; i < N - 1; i++)
        if (a[i] > a[i + 1])
            a[i] = a[i + 1];
    if (magic * 2654435761u == 12345u)
        reach_error();
    return 0;
}
