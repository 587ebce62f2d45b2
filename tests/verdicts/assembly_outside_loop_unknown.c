// check: --property termination
// verdict: UNKNOWN(unmodelled: assembly outside functions: `f: jmp f`)
__asm__("f: jmp f");
extern void f(void);
int main(void) {
    f();
    return 0;
}
