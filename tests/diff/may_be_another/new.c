// What a name stands for may be decided elsewhere: weak definitions and second names, inline bodies; and whether two
// literals are one object.
__attribute__((weak)) int hook(void) { return 1; }
// diff: calls_weak unknown
int calls_weak(void) { return 1; }
// diff: calls_weak_twice equal
int calls_weak_twice(int n) { return n <= 0 ? 0 : hook(); }

__attribute__((weak)) const int setting = 5;
// diff: reads_weak unknown
int reads_weak(void) { return 5; }

static int fallback(void) { return 2; }
extern int other(void) __attribute__((weak, alias("fallback")));
extern int firm(void) __attribute__((alias("fallback")));
// diff: calls_alias unknown
int calls_alias(void) { return 2; }
// diff: calls_target unknown
int calls_target(void) { return fallback(); }
// diff: calls_firm equal
int calls_firm(void) { return 2; }
// diff: calls_the_same equal
int calls_the_same(int n) { return n >= 0 ? n : other(); }
// diff: address unknown
int (*address(void))(void) { return fallback; }

inline int maybe(void) { return 3; }
// diff: calls_inline not-equal
int calls_inline(int n) { return n == 123456789 ? 3 : 0; }

// diff: ends_another unknown
int ends_another(int n) {
    const char *a = "xabc", *b = "abc";
    return n == 123456789 && (a + 1 == b) & 0;
}

// diff: starts_another equal
int starts_another(int n) {
    const char *a = "abcx", *b = "abc";
    return n == 123456789 && (a == b) & 0;
}

// A file's functions behind a table, wherever the file is.
static int up(int x) { return x + 1; }
static int down(int x) { return x - 1; }
static int (*const steps[2])(int) = { up, down };
// diff: step equal
int step(int k, int x) { return 0 + steps[k % 2 ? 1 : 0](x); }
