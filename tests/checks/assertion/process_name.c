// What prctl writes: a name with its end, and nothing where it is given a number.
// run: no
#include <assert.h>
#include <signal.h>
#include <sys/prctl.h>
int main(void) {
    char own[16];
    if (prctl(PR_SET_PDEATHSIG, SIGTERM) < 0) return 1;
    if (prctl(PR_GET_NAME, own) < 0) return 1;
    assert(own[15] == 0);  //~ unknown[assertion]
    assert(own[0] == 'a'); //~ violated[assertion]
    return 0;
}
