// verdict: TRUE
// check: --property unreach-call
// Two functions that call each other last are a loop, and twice round it leaves a number as odd as it was.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int is_even(int n);
static int is_odd(int n)
{
    if (n == 0)
        return 0;
    if (n == 1)
        return 1;
    return is_even(n - 1);
}
static int is_even(int n)
{
    if (n == 0)
        return 1;
    if (n == 1)
        return 0;
    return is_odd(n - 1);
}
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        return 0;
    int odd = is_odd(n);
    if (odd != n % 2)
        reach_error();
}
