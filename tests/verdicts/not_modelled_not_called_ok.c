// check: --property unreach-call
// verdict: TRUE
extern void reach_error(void);
__attribute__((naked)) void f(void) { __asm__("jmp reach_error"); }
int main(void) {
    return 0;
}
