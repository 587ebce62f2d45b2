int f(int x) { return x + 1; }
int g(int x) { return x + 2; }
int other(int x) __attribute__((alias("f")));
int same(int x) __attribute__((alias("f")));
int level = 3;
const char *name = "abc";
int kept = 5;
static int hidden = 1;
int *shown = &hidden;
int (*const table[2])(int) = {f, g};
int (*const order[2])(int) = {f, g};
