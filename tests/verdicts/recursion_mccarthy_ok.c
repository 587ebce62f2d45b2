// verdict: TRUE
// check: --property unreach-call
// What a function returns, by cases of its argument, is found and shown by induction over its activations.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int f91(int x)
{
    if (x > 100)
        return x - 10;
    return f91(f91(x + 11));
}
int main(void)
{
    int x = __VERIFIER_nondet_int();
    int r = f91(x);
    if (!(r == 91 || (x > 101 && r == x - 10)))
        reach_error();
    return 0;
}
