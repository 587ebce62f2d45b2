// Terminals for other programs: who is told what.
// run: no
#include <assert.h>
#include <pty.h>
#include <stddef.h>
int main(void) {
    int first = -7;
    pid_t child = forkpty(&first, NULL, NULL, NULL);
    if (child <= 0)
        assert(first == -7); //~ proved[assertion]
    else
        assert(first >= 0); //~ proved[assertion]
    assert(child != 0); //~ violated[assertion]
    return 0;
}
