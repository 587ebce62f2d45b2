// verdict: FALSE(unreach-call)
// check: --property unreach-call --timeout 20
// The condition is true, however little of it fits an int: what follows is reached.
extern void __VERIFIER_assume(long long);
extern void __VERIFIER_assert(_Bool);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume((long long)x << 32);
    __VERIFIER_assert(x < 1000);
    return 0;
}
