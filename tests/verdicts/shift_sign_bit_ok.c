// verdict: TRUE
// check: --property unreach-call
// Not asked about overflow: `1 << 31` is what compilers make of it.
extern void reach_error(void);
int main(void)
{
    int x = 1 << 31;
    if (x >= 0)
        reach_error();
    return 0;
}
