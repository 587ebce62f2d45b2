// The cleanup attribute: order, on return, break, goto and with the returned value already computed.
#include "check.h"
static int log_[32], n;
static void note(int *p) { log_[n++] = *p; }
#define SCOPED __attribute__((cleanup(note))) int
static int order(void) { SCOPED a = 1; SCOPED b = 2; return a + b; }
static int loops(void) {
    for (int i = 0; i < 5; i++) {
        SCOPED x = 10 + i;
        if (i == 1) continue;
        if (i == 2) break;
    }
    return n;
}
static int jump(void) {
    { SCOPED a = 50; goto out; }
out:
    return n;
}
static int value(void) { SCOPED a = 5; int *p = &a; return *p; }
int main(void) {
    CHECK(order() == 3 && n == 2 && log_[0] == 2 && log_[1] == 1);
    CHECK(loops() == 5 && log_[2] == 10 && log_[4] == 12);
    CHECK(jump() == 6 && log_[5] == 50);
    CHECK(value() == 5 && log_[6] == 5);
    return DONE;
}
