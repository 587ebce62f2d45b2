// verdict: FALSE(unreach-call)
// check: --property unreach-call
// witness: violation
// Values of several types decide it, in calls and loops.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern long __VERIFIER_nondet_long(void);

static int twice(int a)
{
    return a * 2 + __VERIFIER_nondet_int() /* not ) here */;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int s = 0;

    if (n < 10 || n > 1000)
        return 0;
    for (int i = 0; i < 2; i++) {
        unsigned char c = __VERIFIER_nondet_uchar();
        if (c == 200 + i)
            s += twice(c);
        else
            return 0;
    }
    if (s == 12345 && __VERIFIER_nondet_long() == -5000000000L - n)
        reach_error();
    return 0;
}
