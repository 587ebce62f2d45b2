// A tag in the high bits that was not taken off again.
#include <stdint.h>
int main(void) {
    int x = 3;
    uintptr_t tagged = (uintptr_t)&x | (uintptr_t)1 << 62;
    return *(int *)tagged; //~ violated[invalid-deref]
}
