// setjmp and longjmp: values, volatile locals, nested, out of several frames, again and again.
#include "check.h"
#include <setjmp.h>
static jmp_buf top, inner;
static int depth;
static void dive(int n) {
    depth++;
    if (n == 0) longjmp(top, 42);
    dive(n - 1);
}
static int zero_becomes_one(void) {
    jmp_buf b;
    int r = setjmp(b);
    if (r == 0) longjmp(b, 0);
    return r;
}
static int retry(void) {
    volatile int tries = 0;
    switch (setjmp(inner)) {
    case 3: return tries;
    default:
        tries++;
        longjmp(inner, tries);
    }
}
int main(void) {
    int r = setjmp(top);
    if (r == 0) {
        dive(5);
        CHECK(0);
    }
    CHECK(r == 42 && depth == 6);
    CHECK(zero_becomes_one() == 1);
    CHECK(retry() == 3);
    return DONE;
}
