// verdict: TRUE
// check: --property unreach-call --timeout 20
// Literals with other contents are different objects, and those of one ending meet only there.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    const char *names[] = {"one", "two", "xone"};
    int i = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    if (i < 0 || i > 2 || k < 0 || k > 2)
        return 0;
    if (names[i] == names[k] && i != k)
        reach_error();
    if (names[2] == names[0] || names[2] + 2 == names[0])
        reach_error();
    return 0;
}
