// Ways around it; unsigned numbers and narrow types wrap as they may.
#include <limits.h>
#include <stdint.h>
static int middle(int a, int b) { return a + (b - a) / 2; }
int main(void) {
    unsigned u = UINT_MAX;
    u += 2;
    signed char c = 127;
    c++;
    short s = -32768;
    s--;
    uint8_t b = 255;
    b = (uint8_t)(b * b);
    long long wide = (long long)INT_MAX + INT_MAX;
    return middle(INT_MAX - 2, INT_MAX) != INT_MAX - 1 || u != 1 || c != -128 || s != 32767 || b != 1 || wide < 0;
}
