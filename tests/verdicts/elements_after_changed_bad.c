// verdict: FALSE(unreach-call)
// The elements are compared with what the loop has made of a variable: with each of its values they do hold, for a while.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[1000];

int main(void)
{
    int n = __VERIFIER_nondet_int(), k = 1000;
    if (n < 500 || n > 1000)
        return 0;
    for (int i = 0; i < n; i++) {
        a[i] = k;
        k = k - 1;
    }
    for (int i = 0; i < n; i++)
        if (a[i] > k)
            reach_error();
    return 0;
}
