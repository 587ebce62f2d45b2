// verdict: FALSE(valid-deref)
// check: --property valid-memsafety
// Each activation has an object of its own, which is gone when the activation is: no loop.
static int *last;
static int down(int n, int *before)
{
    int here = n;
    last = &here;
    if (n == 0)
        return *before;
    return down(n - 1, &here);
}
int main(void)
{
    int none = 0;
    down(3, &none);
    return *last;
}
