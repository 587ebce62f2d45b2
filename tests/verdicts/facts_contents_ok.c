// verdict: TRUE
// check: --property valid-memsafety
// What a field holds at any time: all stores to it agree, and so does what it begins with.
extern int __VERIFIER_nondet_int(void);
static int a[8], b[16];
static struct { int *p; unsigned i; } box = {a, 0};
static void choose(int which)
{
    box.p = which ? a : b;
    box.i = (unsigned)which % 8;
}
int main(void)
{
    int sum = 0;
    while (__VERIFIER_nondet_int()) {
        choose(__VERIFIER_nondet_int());
        sum ^= box.p[box.i];
    }
    return sum & 1;
}
