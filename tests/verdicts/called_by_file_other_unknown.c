// The property file names `reach_error`: a call of the other function that tasks use is no answer.
// check: --property called_by_file.prp
// verdict: UNKNOWN(the program has `__VERIFIER_error`, and the property is about another function)
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int main(void)
{
    if (__VERIFIER_nondet_int() > 10)
        __VERIFIER_error();
    return 0;
}
