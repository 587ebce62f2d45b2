// Tags in the low bits, taken off; a pointer split and put together; a pointer through an integer array.
#include <stdint.h>
#include <string.h>
int main(void) {
    int x = 3;
    uintptr_t tagged = (uintptr_t)&x | 1;
    int a = *(int *)(tagged - 1), b = *(int *)(tagged & ~(uintptr_t)3);
    uint32_t half[2];
    int *p = &x;
    memcpy(half, &p, sizeof p);
    int *q = (int *)((uintptr_t)half[1] << 32 | half[0]);
    return a + b + *q != 9;
}
