// check: --property unreach-call
// verdict: UNKNOWN(unmodelled: assembly outside functions: `.globl f`)
// The assembly writes `x` behind the back of the rest.
extern void reach_error(void);
int x;
__asm__(".globl f\nf: movl $5, x(%rip)\n ret");
extern void f(void);
int main(void) {
    f();
    if (x == 5)
        reach_error();
    return 0;
}
