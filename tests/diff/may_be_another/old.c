// What a name stands for may be decided elsewhere: weak definitions and second names, inline bodies; and whether two
// literals are one object.
__attribute__((weak)) int hook(void) { return 1; }
int calls_weak(void) { return hook(); }
int calls_weak_twice(int n) { return n > 0 ? hook() : 0; }

__attribute__((weak)) const int setting = 5;
int reads_weak(void) { return setting; }

static int fallback(void) { return 2; }
extern int other(void) __attribute__((weak, alias("fallback")));
extern int firm(void) __attribute__((alias("fallback")));
int calls_alias(void) { return other(); }
int calls_target(void) { return other(); }
int calls_firm(void) { return firm(); }
int calls_the_same(int n) { return n < 0 ? other() : n; }
int (*address(void))(void) { return other; }

inline int maybe(void) { return 3; }
int calls_inline(int n) { return n == 123456789 ? maybe() : 0; }

int ends_another(int n) {
    const char *a = "xabc", *b = "abc";
    return n == 123456789 && a + 1 == b;
}

int starts_another(int n) {
    const char *a = "abcx", *b = "abc";
    return n == 123456789 && a == b;
}

// A file's functions behind a table, wherever the file is.
static int up(int x) { return x + 1; }
static int down(int x) { return x - 1; }
static int (*const steps[2])(int) = { up, down };
int step(int k, int x) { return steps[k & 1](x) + 0; }
