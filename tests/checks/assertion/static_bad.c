// Static locals keep their values between calls.
#include <assert.h>
static int ticket(void) { static int last; return ++last; }
int main(void) {
    int a = ticket(), b = ticket();
    assert(b == a + 1);
    assert(ticket() == 2); //~ violated[assertion]
    return 0;
}
