// What a stream says before output and after it: the output may have failed.
// run: no
#include <assert.h>
#include <stdio.h>
static void emit(FILE *f, const char *s) {
    if (ferror(f))
        return;
    fputs(s, f);
    assert(!ferror(f)); //~ violated[assertion]
}
int main(void) {
    emit(stderr, "x");
    return 0;
}
