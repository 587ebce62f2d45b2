// verdict: UNKNOWN(abstraction: may fail for all that is known)
// check: --property unreach-call --timeout 20
// No input, but an address that is looked at as a number through a union: where the variable lies is a choice.
extern void reach_error(void);
static int a;
static union {
    int *p;
    unsigned long n;
} u;
int main(void)
{
    u.p = &a;
    if (u.n % 4096 == 0x5dc)
        reach_error();
    return 0;
}
