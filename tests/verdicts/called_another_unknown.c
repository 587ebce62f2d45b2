// Calls of another function than the two that tasks use are not looked at: this was TRUE.
// check: --property called_another.prp
// verdict: UNKNOWN(the property call(my_error()) is not supported)
extern int __VERIFIER_nondet_int(void);
extern void my_error(void);

int main(void)
{
    if (__VERIFIER_nondet_int() > 10)
        my_error();
    return 0;
}
