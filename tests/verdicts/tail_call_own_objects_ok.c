// verdict: TRUE
// check: --property unreach-call --property valid-memsafety
// Objects of different activations are different ones.
extern void reach_error(void);
static int down(int n, int *before)
{
    int here = n;
    if (&here == before || *before != n + 1)
        reach_error();
    if (n == 0)
        return 0;
    return down(n - 1, &here);
}
int main(void)
{
    int first = 4;
    return down(3, &first);
}
