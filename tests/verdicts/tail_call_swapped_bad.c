// verdict: FALSE(unreach-call)
// check: --property unreach-call
// Arguments change places all at once, and another result than that of the call is not that of the call.
extern void reach_error(void);
static int difference(int a, int b, int n)
{
    if (n == 0)
        return a - b;
    return difference(b, a, n - 1);
}
static int other(int n)
{
    if (n > 0) {
        other(n - 1);
        return n;
    }
    return 0;
}
int main(void)
{
    if (difference(5, 3, 7) == -2 && other(4) == 4)
        reach_error();
    return 0;
}
