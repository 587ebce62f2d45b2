// verdict: TRUE
// check: --property unreach-call
// What a function that calls itself last does to memory is known as if it were a loop.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
static void both(unsigned *a, unsigned *b, const unsigned *n)
{
    if (*a < *n) {
        *a += 1;
        *b += 2;
        both(a, b, n);
    }
}
int main(void)
{
    unsigned a = 0, b = 0, n = __VERIFIER_nondet_uint();
    both(&a, &b, &n);
    if (b != 2 * a)
        reach_error();
    return 0;
}
