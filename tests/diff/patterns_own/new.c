// diff-options: --patterns DIR/rules
// diff: frees equal by custom pattern null_check
// diff: frees_other not-equal
// diff: frees_back not-equal
// diff: logs equal by custom pattern counted
// diff: logs_other_record equal by custom pattern counted
// diff: logs_other_field not-equal
// diff: logs_near not-equal
// diff: logs_and_goes_on equal by custom pattern counted
// diff: two equal by custom pattern both
// diff: two_swapped not-equal
// diff: two_apart not-equal
// diff: ticks equal by custom pattern tick
// diff: ticks_near not-equal
// Patterns of one's own: branches on either side, context, several outputs, text of the IR.
struct log { int size; int level; };
struct sink { int level; int level2; };

void release(void *);
void report(int, const char *);
int low(int);
int high(int);
int pair_of(int, int);
void tick(void);
void tick_by(int);

void frees(void *p, int n) {
    if (n > 3) {
        release(p);
    }
}
void frees_other(void *p, void *q) {
    release(q);
}
void frees_back(void *p) {
    if (p)
        release(p);
}

void logs(struct log *l, const char *s) {
    int n = l->level;
    if (n > 2)
        report(n, s);
}
void logs_other_record(struct sink *l, const char *s) {
    int n = l->level;
    if (n > 2)
        report(n, s);
}
void logs_other_field(struct sink *l, const char *s) {
    int n = l->level2;
    if (n > 2)
        report(n, s);
}
void logs_near(struct log *l, const char *s) {
    int n = l->level;
    if (n > 3)
        report(n, s);
}
void logs_and_goes_on(struct log *l, const char *s, int k) {
    int n = l->level;
    if (n > 2)
        report(n, s);
    if (k)
        tick();
}

int two(int x, int y) { int z = x + y;
    int a = pair_of(z, 0);
    int w = a ^ 0;
    int b = pair_of(z, 1);
    return w - b; }
int two_swapped(int x, int y) { int z = x + y;
    int a = pair_of(z, 1);
    int b = pair_of(z, 0);
    return b - a; }
int two_apart(int x, int y) {
    int a = pair_of(x, 0);
    tick();
    return a - pair_of(x, 1);
}

void ticks(int n) {
    for (int i = 0; i < n; i++)
        tick_by(1);
}
void ticks_near(int n) {
    for (int i = 0; i < n; i++)
        tick_by(2);
}
