// check: --property valid-memsafety
// verdict: FALSE(valid-deref)
extern int __VERIFIER_nondet_int(void);
struct s {
    long all[4];
};
// Clang's code has `r` in the place that the caller keeps for the result, which lives on.
static struct s make(long **at)
{
    struct s r = {{0}};
    *at = &r.all[1];
    return r;
}
int main(void)
{
    long *p;
    struct s a = make(&p);
    if (__VERIFIER_nondet_int() == 8)
        return (int)*p;
    return (int)a.all[0];
}
