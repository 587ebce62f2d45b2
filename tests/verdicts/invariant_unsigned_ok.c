// verdict: TRUE
// check: --property unreach-call
// Above the sign bit, unsigned numbers have bounds of their own.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    unsigned x = 0x90000000u;
    while (__VERIFIER_nondet_int()) {
        if (x > 0xf0000000u)
            x = 0x80000000u;
        x += 16;
    }
    if (x < 0x80000000u)
        reach_error();
    return 0;
}
