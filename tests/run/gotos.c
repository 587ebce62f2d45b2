// goto into and out of scopes, backwards, past declarations, out of nested loops; irreducible control flow.
#include "check.h"
static int into(int n) {
    int r = 0;
    if (n) goto inside;
    {
        int x;
        r = 1;
    inside:
        x = 5;
        r += x;
    }
    return r;
}
static int irreducible(int a, int n) {
    int s = 0;
    if (a) goto second;
first:
    s += 1;
second:
    s += 10;
    if (--n > 0) goto first;
    return s;
}
static int out(void) {
    int n = 0;
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++) {
            n++;
            if (i == 2 && j == 3) goto done;
        }
done:
    return n;
}
static int back(void) {
    int n = 0;
again:;
    int fresh = n * 2;
    int *p = &fresh;
    if (++n < 4) goto again;
    return *p;
}
static int local_labels(int n) {
    __label__ end;
    if (n > 3) goto end;
    n = 100;
end:
    return n;
}
int main(void) {
    CHECK(into(0) == 6 && into(1) == 5);
    CHECK(irreducible(0, 3) == 33 && irreducible(1, 3) == 32);
    CHECK(out() == 24 && back() == 6);
    CHECK(local_labels(5) == 5 && local_labels(1) == 100);
    return DONE;
}
