// verdict: FALSE(unreach-call)
// check: --property unreach-call
// From 2^24 on not every integer has a float.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > (1 << 24) + 1)
        return 0;
    float f = (float)i;
    if ((int)f != i)
        reach_error();
    return 0;
}
