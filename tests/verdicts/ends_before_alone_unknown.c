// verdict: UNKNOWN(an execution ends before, by out-of-bounds-write in line 8)
// check: --property unreach-call --entry f
// Accesses through arguments are the caller's affair, but not those of its own array.
extern void __assert_fail(const char *, const char *, unsigned, const char *);
int f(int *p, volatile int i)
{
    int a[2];
    a[i] = *p;
    if (i == 5)
        __assert_fail("i != 5", "", 0, "");
    return a[0];
}
int main(void)
{
    int x = 0;
    return f(&x, 0);
}
