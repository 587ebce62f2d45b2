// verdict: FALSE(no-overflow)
// check: --property no-overflow
// The amount is in range; the value is not what `int` can hold.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 2)
        return 0;
    return x << 30 != 0;
}
