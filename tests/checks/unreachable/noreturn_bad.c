// A function that says it does not return, and does.
#include <stdlib.h>
__attribute__((noreturn)) static void fail(int code) {
    if (code) exit(0);
} //~ violated[unreachable]
int main(void) {
    fail(0);
}
