// verdict: TRUE
// slow
// Elements that a loop has not come to yet are what they were.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
#define N 100000

int main(void)
{
    int a[N];
    int n = __VERIFIER_nondet_uint() % N;
    for (int i = 0; i < n; i++)
        a[i] = 5;
    for (int i = 0; i < n; i++)
        a[i] = a[i] + 1;
    for (int i = 0; i < n; i++)
        if (a[i] != 6)
            reach_error();
    return 0;
}
