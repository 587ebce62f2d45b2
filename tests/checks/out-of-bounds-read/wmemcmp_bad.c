// wmemcmp compares n wide characters of both objects, also when an early one differs.
#include <wchar.h>
int main(void) {
    wchar_t a[4] = {1, 2, 3, 4}, b[8] = {0};
    return wmemcmp(a, b, 5) > 0 ? 0 : 1; //~ violated[out-of-bounds-read]
}
