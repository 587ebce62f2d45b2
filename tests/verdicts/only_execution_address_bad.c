// verdict: FALSE(unreach-call)
// check: --property unreach-call --timeout 20
// Where objects lie is a choice; one of the two is first.
extern void reach_error(void);
int main(void)
{
    static int a, b;
    if ((unsigned long)&a > (unsigned long)&b)
        reach_error();
    if ((unsigned long)&b > (unsigned long)&a)
        reach_error();
    return 0;
}
