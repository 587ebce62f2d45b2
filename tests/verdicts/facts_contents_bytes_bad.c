// verdict: FALSE(valid-deref)
// check: --property valid-memsafety
// A field can be written byte by byte too.
extern int __VERIFIER_nondet_int(void);
static int a[8];
static struct { int *p; unsigned i; } box = {a, 0};
static void scrub(unsigned char *bytes, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        bytes[i] = 0;
}
int main(void)
{
    if (__VERIFIER_nondet_int())
        scrub((unsigned char *)&box, sizeof box);
    return box.p[box.i];
}
