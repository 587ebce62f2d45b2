// verdict: TRUE
// check: --property unreach-call --timeout 20
// A condition is what the task passes: a number that an int would cut off, a pointer, a truth value.
extern void __VERIFIER_assume(_Bool);
extern void __CPROVER_assert(long long, const char *);
extern int __VERIFIER_nondet_int(void);
extern void *__VERIFIER_nondet_pointer(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    void *p = __VERIFIER_nondet_pointer();
    __VERIFIER_assume(x > 2);
    __CPROVER_assume(p);
    __CPROVER_assert(x > 1 && p != 0, "both");
    __CPROVER_assert((long long)x << 32, "not zero");
    return 0;
}
