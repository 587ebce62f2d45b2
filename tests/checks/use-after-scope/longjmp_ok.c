// setjmp and longjmp within live frames.
#include <setjmp.h>
static jmp_buf env;
static void fail(int n) { if (n > 2) longjmp(env, n); }
int main(void) {
    volatile int last = 0;
    int r = setjmp(env);
    if (r) return r != 3 || last != 3;
    for (int i = 0; i < 9; i++) { last = i; fail(i); }
    return 1;
}
