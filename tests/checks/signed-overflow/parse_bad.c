// A parser of numbers that trusts its input.
#include <ctype.h>
static int parse(const char *s) {
    int v = 0;
    while (isdigit((unsigned char)*s))
        v = v * 10 + (*s++ - '0'); //~ violated[signed-overflow]
    return v;
}
int main(void) { return parse("123") + parse("4294967296"); }
