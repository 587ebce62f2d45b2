// verdict: TRUE
// check: --property unreach-call --timeout 60
// slow
// sum <= 255*i.
void reach_error(void);
unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned char n = __VERIFIER_nondet_uchar();
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += __VERIFIER_nondet_uchar();
    if (sum > 255 * 255)
        reach_error();
    return 0;
}
