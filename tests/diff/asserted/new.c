// What a failed assertion says of itself is of no matter: a run in which one fails has an error.
#include <assert.h>
extern int deep(int n);



// diff: checked equal by identity
int checked(int n) {
    assert(n > 0);
    return deep(n) + 1;
}

// diff: checked_more not-equal
int checked_more(int n) {
    assert(n > 0);
    return deep(n) + 1;
}

// diff: checked_other not-equal
int checked_other(int n) {
    assert(n > 1);
    return deep(n) + 1;
}

// diff: checked_late not-equal
int checked_late(int n) {
    int r = deep(n) + 1;
    assert(n > 0);
    return r;
}
