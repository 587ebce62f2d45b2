// verdict: FALSE(unreach-call)
// Every second element is written; the others are what they were.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 1000 || n % 2)
        return 0;
    int a[1000];
    for (int i = 0; i < 1000; i++)
        a[i] = 1;
    for (int i = 0; i < n; i += 2)
        a[i] = 7;
    for (int i = 0; i < n; i++)
        if (a[i] != 7)
            reach_error();
    return 0;
}
