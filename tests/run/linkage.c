// Weak symbols, aliases, thread-local storage, static locals, tentative definitions, extern inside a block, ifunc.
#include "check.h"
int weak_absent(void) __attribute__((weak));
int weak_here(void) __attribute__((weak));
int weak_here(void) { return 4; }
int target(int x) { return x + 1; }
int other_name(int x) __attribute__((alias("target")));
static _Thread_local int local = 3;
__thread int zeroed;
int tentative;
int tentative;
extern int later;
int later = 12;
int variable = 5;
extern int variable_alias __attribute__((alias("variable")));
static int count(void) { static int n = 10; static const int step[2] = {1, 2}; n += step[n & 1]; return n; }
static int block(void) { extern int later; return later; }
static int fast(int x) { return x * 2; }
static int (*resolve(void))(int) { return fast; }
int chosen(int x) __attribute__((ifunc("resolve")));
int main(void) {
    CHECK(!weak_absent && weak_here() == 4);
    CHECK(other_name(2) == 3);
    local += 2;
    zeroed = local;
    CHECK(local == 5 && zeroed == 5);
    CHECK(tentative == 0 && block() == 12);
    CHECK(count() == 11 && count() == 13);
    variable_alias = 6;
    CHECK(variable == 6 && &variable == &variable_alias);
    CHECK(chosen(4) == 8);
    return DONE;
}
