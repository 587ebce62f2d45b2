// memcpy within one object onto itself, shifted.
#include <string.h>
int main(void) {
    char s[] = "abcdef";
    size_t n = strlen(s) - 1;
    memcpy(s, s + 1, n); //~ violated[invalid-argument]
    return s[0];
}
