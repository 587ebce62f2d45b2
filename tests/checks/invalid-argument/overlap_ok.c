// memmove may; memcpy of what does not overlap may.
#include <string.h>
int main(void) {
    char s[] = "abcdef";
    memmove(s, s + 1, 6);
    memcpy(s, s + 3, 2);
    memcpy(s, "", 0);
    return s[0] != 'e';
}
