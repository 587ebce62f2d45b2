// It is never reached.
// flags: -Wl,--unresolved-symbols=ignore-all
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uchar();
    if (x * x > 65025) reach_error();
    return 0;
}
