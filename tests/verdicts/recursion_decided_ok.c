// verdict: TRUE
// check: --property unreach-call
// Constants decide every branch: the calls are followed.
extern void reach_error(void);
static int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
int main(void)
{
    if (fib(12) != 144)
        reach_error();
    return 0;
}
