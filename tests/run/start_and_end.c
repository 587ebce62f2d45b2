// Constructors by priority, destructors, atexit in reverse order, output flushed at the end.
// expect: exit 7
// expect-out: first
// expect-out: second
// expect-out: main
// expect-out: atexit 2
// expect-out: atexit 1
// expect-out: destructor
#include <stdio.h>
#include <stdlib.h>
__attribute__((constructor(102))) static void second(void) { puts("second"); }
__attribute__((constructor(101))) static void first(void) { puts("first"); }
__attribute__((destructor)) static void last(void) { puts("destructor"); }
static void one(void) { puts("atexit 1"); }
static void two(void) { puts("atexit 2"); }
int main(void) {
    atexit(one);
    atexit(two);
    puts("main");
    exit(7);
}
