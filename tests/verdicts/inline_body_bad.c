// verdict: FALSE(unreach-call)
// check: --property unreach-call
// The body of a C99 `inline` function is what a call runs.
extern void reach_error(void);
inline void check(int x)
{
    if (x)
        reach_error();
}
int main(void)
{
    check(1);
    return 0;
}
