// The sum of two large numbers.
#include <limits.h>
static int middle(int a, int b) {
    return (a + b) / 2; //~ violated[signed-overflow]
}
int main(void) { return middle(1, 3) + middle(INT_MAX, 1); }
