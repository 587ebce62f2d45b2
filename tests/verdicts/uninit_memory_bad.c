// verdict: FALSE(unreach-call)
// check: --property unreach-call
// Memory that was not written may hold zero.
extern void reach_error(void);
int main(void)
{
    int a[4];
    if (a[2] == 0)
        reach_error();
    return 0;
}
