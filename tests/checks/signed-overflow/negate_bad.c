// The smallest number has no positive counterpart.
#include <limits.h>
static int magnitude(int x) {
    return x < 0 ? -x : x; //~ violated[signed-overflow]
}
int main(void) { return magnitude(-5) + magnitude(INT_MIN); }
