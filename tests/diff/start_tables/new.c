// Variables in the sections that the start-up code reads are tables of functions that run.
// diff: main not-equal
// diff: constructors differs
// diff: destructors differs
int level;
static void one(void) { level = 1; }
static void two(void) { level = 2; }
typedef void (*entry)(void);
__attribute__((used, section(".init_array"))) static entry first = two;
__attribute__((used, section(".fini_array"))) static entry last = two;
int main(void) { return level + (last == two); }
