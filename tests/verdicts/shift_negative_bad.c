// verdict: FALSE(no-overflow)
// check: --property no-overflow
// C11 6.5.7: a negative value must not be shifted left.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x != -1)
        return 0;
    return x << 1;
}
