// Loops and conditions: continue and break in all kinds, comma, short circuit with effects, conditional values.
#include "check.h"
static int hits;
static int hit(int v) { hits++; return v; }
int main(void) {
    int n = 0, i, j;
    for (i = 0, j = 10; i < j; i++, j--) n += j - i;
    CHECK(n == 30 && i == 5);
    do { if (n == 25) break; n--; if (n % 2) continue; n--; } while (n > 0);
    CHECK(n == 25);
    while (n--) { if (n > 20) continue; if (n < 18) break; }
    CHECK(n == 17);
    CHECK((hit(0) && hit(1)) == 0 && hits == 1);
    CHECK((hit(1) || hit(1)) && hits == 2);
    CHECK((hit(1) && hit(0)) == 0 && hits == 4);
    int x = hit(1) ? hit(5) : hit(6);
    CHECK(x == 5 && hits == 6);
    struct { int a; } s = {1}, t = {2};
    CHECK((x == 5 ? t : s).a == 2);
    int *lower = (x > 3) ? &i : &j;
    *lower = 77;
    CHECK(i == 77);
    for (;;) { if (++i > 80) break; }
    CHECK(i == 81);
    int k = 0;
    for (int a = 0; a < 3; a++) for (int b = 0; b < 3; b++) { if (b == a) continue; if (b > 1) break; k += 10 * a + b; }
    CHECK(k == 1 + 10 + 20 + 21);
    x = (i = 4, i + 1);
    CHECK(x == 5);
    x = i = j = 3;
    CHECK(x + i + j == 9);
    unsigned u = 3;
    int rounds = 0;
    while (u-- > 0) rounds++;
    CHECK(rounds == 3 && u == ~0u);
    CHECK(!(x = 0) && x == 0);
    volatile int v = 4;
    v = v + v;
    v++;
    CHECK(v == 9);
    return DONE;
}
