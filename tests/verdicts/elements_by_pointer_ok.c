// verdict: TRUE
// slow
// A pointer walks through the array.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
#define N 5000

int main(void)
{
    unsigned char a[N];
    unsigned n = __VERIFIER_nondet_uint() % N;
    unsigned char *p = a, *e = a + n;
    while (p < e)
        *p++ = __VERIFIER_nondet_uint() % 10;
    for (p = a; p < e; p++)
        if (*p >= 10)
            reach_error();
    return 0;
}
