// verdict: FALSE(valid-free)
// check: --property valid-memsafety --data-model ILP32
// Declared with another type than the built-in function's, it makes memory in the caller's frame all the same.
extern void *alloca(unsigned long size);
extern void free(void *);
extern char __VERIFIER_nondet_char(void);
int main(void)
{
    char *p = alloca(10);
    for (int i = 0; i < 10; i++)
        p[i] = __VERIFIER_nondet_char();
    if (p[2] == 'a')
        free(p);
    return 0;
}
