// Variables that others see, and second names of functions.
// diff: f equal
// diff: other differs
// diff: same nothing
// diff: level differs
// diff: name differs
// diff: kept nothing
// diff: hidden nothing
// diff: shown differs
// diff: table nothing
// diff: order differs
int f(int x) { return 1 + x; }
int g(int x) { return x + 2; }
int other(int x) __attribute__((alias("g")));
int same(int x) __attribute__((alias("f")));
int level = 4;
const char *name = "abd";
int kept = 5;
static int hidden = 2;
int *shown = &hidden;
int (*const table[2])(int) = {f, g};
int (*const order[2])(int) = {g, f};
