// A run begins with the defaults, as one from a shell does (but for the signals that whoever started the shell ignores).
// expect: exit 143
#include <signal.h>

int main(void)
{
    static const int usual[] = {SIGTERM, SIGUSR1, SIGUSR2, SIGSEGV, SIGFPE, SIGALRM};
    for (unsigned i = 0; i < sizeof usual / sizeof *usual; i++) {
        if (signal(usual[i], SIG_DFL) != SIG_DFL)
            return 1;
    }
    raise(SIGCHLD);
    raise(SIGTERM);
    return 2;
}
