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
        if (p)
            release(p);
    }
}
void frees_other(void *p, void *q) {
    if (p)
        release(p);
}
void frees_back(void *p) { release(p); }

void logs(struct log *l, const char *s) { report(l->level, s); }
void logs_other_record(struct sink *l, const char *s) { report(l->level, s); }
void logs_other_field(struct sink *l, const char *s) { report(l->level2, s); }
void logs_near(struct log *l, const char *s) { report(l->level, s); }
void logs_and_goes_on(struct log *l, const char *s, int k) {
    report(l->level, s);
    if (k)
        tick();
}

int two(int x, int y) { return low(x + y) - high(x + y); }
int two_swapped(int x, int y) { return low(x + y) - high(x + y); }
int two_apart(int x, int y) {
    int a = low(x);
    tick();
    return a - high(x);
}

void ticks(int n) {
    for (int i = 0; i < n; i++)
        tick();
}
void ticks_near(int n) {
    for (int i = 0; i < n; i++)
        tick();
}
