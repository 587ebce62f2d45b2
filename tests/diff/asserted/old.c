// What a failed assertion says of itself is of no matter: a run in which one fails has an error.
#include <assert.h>
extern int deep(int n);

int checked(int n) {
    assert(n > 0);
    return deep(n) + 1;
}

int checked_more(int n) {
    return deep(n) + 1;
}

int checked_other(int n) {
    assert(n > 0);
    return deep(n) + 1;
}

int checked_late(int n) {
    assert(n > 0);
    return deep(n) + 1;
}
