// verdict: FALSE(unreach-call)
// check: --property unreach-call
// Three functions that call one another last: what each does with the number is done in its turn.
extern void reach_error(void);
static unsigned a(unsigned n, unsigned sum);
static unsigned c(unsigned n, unsigned sum)
{
    return n == 0 ? sum : a(n - 1, 2 * sum);
}
static unsigned b(unsigned n, unsigned sum)
{
    return n == 0 ? sum : c(n - 1, sum + 1);
}
static unsigned a(unsigned n, unsigned sum)
{
    return n == 0 ? sum : b(n - 1, 3 * sum);
}
int main(void)
{
    if (a(30000, 5) != b(29999, 15))
        return 1;
    if (a(4, 5) == ((5 * 3 + 1) * 2) * 3)
        reach_error();
}
