// check: --property unreach-call
// verdict: UNKNOWN(unmodelled: naked function (inline assembly only) at naked_function_jumps_unknown.c:4)
extern void reach_error(void);
__attribute__((naked)) void f(void) { __asm__("jmp reach_error"); }
int main(void) {
    f();
    return 0;
}
