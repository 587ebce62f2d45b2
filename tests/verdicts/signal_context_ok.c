// verdict: TRUE
// A handler with SA_SIGINFO is told who sent the signal, and where the process was.
#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

static int calls;

static void handler(int number, siginfo_t *info, void *where)
{
    ucontext_t *context = where;
    assert(context != NULL);
    assert(info->si_signo == number);
    assert(info->si_pid == getpid());
    assert(info->si_code == SI_TKILL);
    assert(!sigismember(&context->uc_sigmask, number));
    calls++;
}

int main(void)
{
    struct sigaction a;
    memset(&a, 0, sizeof a);
    a.sa_sigaction = handler;
    a.sa_flags = SA_SIGINFO;
    if (sigaction(SIGUSR1, &a, NULL) != 0)
        return 1;
    raise(SIGUSR1);
    assert(calls == 1);
    return 0;
}
