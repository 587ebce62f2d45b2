// A run begins with the defaults, as one from a shell does.
// expect: exit 143
#include <signal.h>

int main(void)
{
    for (int n = 1; n < 32; n++) {
        if (n != SIGKILL && n != SIGSTOP && signal(n, SIG_DFL) != SIG_DFL)
            return 1;
    }
    raise(SIGCHLD);
    raise(SIGTERM);
    return 2;
}
