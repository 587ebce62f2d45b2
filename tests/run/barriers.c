// Inline assembly that the program's meaning does not depend on: compiler barriers and pause hints.
#include "check.h"
static int shared;
int main(void) {
    int local = 3;
    __asm__ volatile("" ::: "cc");
    CHECK(local == 3);
    local++;
    __asm__ volatile("nop");
    CHECK(local == 4 && shared == 0);
    return DONE;
}
