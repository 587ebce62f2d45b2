// An atomic structure that the machine has no instruction for: libatomic copies it.
// check: --property unreach-call
// verdict: TRUE
#include <stdatomic.h>

extern void reach_error(void);
struct big { int a[5]; };
static _Atomic struct big shared;

int main(void) {
    struct big v = {{1, 2, 3, 4, 5}}, w = {{7}};
    shared = v;
    struct big t = shared;
    struct big old = atomic_exchange(&shared, w);
    if (t.a[0] != 1 || old.a[4] != 5)
        reach_error();
    return 0;
}
