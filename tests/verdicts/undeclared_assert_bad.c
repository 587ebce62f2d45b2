// verdict: FALSE(unreach-call)
// check: --property unreach-call
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x > 7)
        assert(x > 8);
    return 0;
}
