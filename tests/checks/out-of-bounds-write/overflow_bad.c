// The product of the sizes wraps; the object is small.
#include <stdint.h>
#include <stdlib.h>
static int *grid(uint32_t w, uint32_t h) { return malloc((uint32_t)(w * h * (uint32_t)sizeof(int))); }
int main(void) {
    int *g = grid(65536, 32768);
    if (!g) return 0;
    g[1] = 1; //~ violated[out-of-bounds-write]
    free(g);
    return 0;
}
