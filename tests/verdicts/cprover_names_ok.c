// verdict: TRUE
// check: --property unreach-call
// Names of CBMC's that C can say.
double nondet_double(void);
int main(void)
{
    double d = nondet_double();
    __CPROVER_bool b = __CPROVER_isnand(d);
    __CPROVER_size_t n = sizeof d;
    __CPROVER_assert(b || d == d, "only a NaN differs from itself");
    __CPROVER_assume(__CPROVER_isnormald(d));
    __CPROVER_assert(__CPROVER_isfinited(d) && !__CPROVER_isinfd(d) && d != 0, "normal");
    __CPROVER_precondition(n == 8, "size");
    char *p = __CPROVER_allocate(4, 1);
    __CPROVER_assert(p[3] == 0, "set to zero");
    return 0;
}
