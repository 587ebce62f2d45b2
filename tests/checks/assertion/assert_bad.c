// What the author believed is not so.
#include <assert.h>
static int clamp(int v, int low, int high) { return v < low ? low : v > high ? high : v; }
int main(void) {
    assert(clamp(5, 1, 3) == 3);
    assert(clamp(2, 3, 1) <= 1); //~ violated[assertion]
    return 0;
}
