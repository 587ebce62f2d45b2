// verdict: FALSE(unreach-call)
// check: --property unreach-call
// witness: violation
// Far down: an execution gets there all the same.
extern void reach_error(void);
static unsigned sum(unsigned n, unsigned so_far)
{
    if (n == 0)
        return so_far;
    return sum(n - 1, so_far + n);
}
int main(void)
{
    if (sum(100000, 0) == 705082704)
        reach_error();
    return 0;
}
