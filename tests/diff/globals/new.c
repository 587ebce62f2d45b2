// diff-options: --globals verbose,level,hidden
// diff: around equal
// diff: inside not-equal
// diff: guarded not-equal
// diff: steps equal
// diff: steps_near changed
// diff: stored equal
// diff: stored_near changed
// diff: by_pointer not-equal
// diff: leaves not-equal
// diff: prepared not-equal
// diff: calls equal
// diff: calls_near not-equal
// diff: set_hidden equal
// diff: repeats equal
// diff: repeats_near changed
// diff: unrelated nothing
// diff: by_alias not-equal
// diff: beside unknown
// What the variable influences is compared; the rest of the functions may change.
#include <stdlib.h>

int verbose;
int level;
static int hidden;
int other, seen, count;
int *where = &level;

void before(int);
void after(int);
void report(const char *, int);

// The figure of the method: blocks around that do not use the variable.
void around(int x) {
    before(x + 1);
    before(2);
    if (verbose) {
        report("on", x);
    }
    after(x - 1);
}

// The block itself.
void inside(int x) {
    before(x + 2);
    if (verbose) {
        report("on", x + 1);
    }
}

// The condition under which the variable is looked at.
void guarded(int x) {
    if (x > 4) {
        if (verbose) {
            report("on", x);
        }
    }
}

// What the variable goes into, over a few steps.
int steps(int x) {
    int a = verbose * 2;
    int b = a + x;
    other = x * 4;
    return b;
}

// One bit away.
int steps_near(int x) {
    int a = verbose * 2;
    int b = a | x;
    return b;
}

// Through memory.
int stored(int x) {
    count = verbose;
    other = 2;
    return count + x;
}

int stored_near(int x) {
    count = verbose;
    count++;
    return count + x;
}

// Through a pointer: the address of `level` is in `where`.
int by_pointer(int x) { return *where - x; }

// A value that the variable does not reach is returned, but the way there ends the program.
int leaves(int x) {
    if (verbose) {
        exit(x);
    }
    return x + 2;
}

// What is done to data that the variable is combined with.
int prepared(int x) {
    seen = x + 2;
    if (verbose) {
        return seen;
    }
    return 0;
}

static int reads_it(void) { return hidden + 1; }

// By way of another function.
int calls(int x) {
    other = x + 5;
    return reads_it() * 2;
}

int calls_near(int x) { return reads_it() * 3 + x; }

void set_hidden(int x) { hidden = x; }

// Loops: how often is decided by the variable.
int repeats(int x) {
    int s = 0;
    for (int i = 0; i < verbose; i++) {
        s += 2;
    }
    other = x ^ 1;
    return s;
}

int repeats_near(int x) {
    int s = 0;
    for (int i = 0; i < verbose; i++) {
        s += x & 2;
    }
    return s;
}

// Nothing to do with it.
int unrelated(int x) { return x + 7; }

// Writes that may be to the variable, and those that something else needs.
void by_alias(int x) { *where = x + 1; }
void beside(int *p) {
    *p = 3;
    level = 1;
    after(level);
}
