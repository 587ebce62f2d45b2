// verdict: FALSE(no-overflow)
// check: --property no-overflow
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    return x > 0 ? x + 1 : 0;
}
