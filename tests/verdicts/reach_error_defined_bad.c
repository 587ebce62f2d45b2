// verdict: FALSE(unreach-call)
// check: --property unreach-call
// The property is about calls of the function, whatever its body does.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n == 12345)
        reach_error();
    return 0;
}
