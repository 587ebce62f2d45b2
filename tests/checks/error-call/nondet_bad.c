// It is reached for one value of the input.
// flags: -Wl,--unresolved-symbols=ignore-all
// run: no
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 0) reach_error(); //~ violated[error-call]
    return 0;
}
