// verdict: FALSE(unreach-call)
// check: --property unreach-call
int nondet_int(void);
static int half(int a)
{
    __CPROVER_precondition(a % 2 == 0, "even");
    return a / 2;
}
int main(void)
{
    return half(nondet_int());
}
