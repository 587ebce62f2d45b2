// verdict: FALSE(unreach-call)
// Who sends a signal that is waited for is not known.
#include <assert.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static void handler(int number, siginfo_t *info, void *where)
{
    (void)number, (void)where;
    assert(info->si_code != SI_USER);
}

int main(void)
{
    struct sigaction a;
    memset(&a, 0, sizeof a);
    a.sa_sigaction = handler;
    a.sa_flags = SA_SIGINFO;
    if (sigaction(SIGUSR1, &a, NULL) != 0)
        return 1;
    pause();
    return 0;
}
