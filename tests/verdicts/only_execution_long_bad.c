// verdict: FALSE(unreach-call)
// check: --property unreach-call --timeout 60
// slow
// No input: the one execution is followed for longer than anything else is tried.
extern void reach_error(void);
int main(void)
{
    unsigned x = 0, z = 5000000;
    while (x < 10000000) {
        if (x >= 5000000)
            z--;
        x++;
    }
    if (z == 0)
        reach_error();
    return 0;
}
