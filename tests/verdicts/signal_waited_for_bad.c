// check: --property unreach-call --data-model LP64
// verdict: FALSE(unreach-call)
// A handler runs while the program waits for its signal.
extern void reach_error(void);
#include <signal.h>
#include <unistd.h>
static volatile sig_atomic_t stopped;
static void stop(int number)
{
    (void)number;
    stopped = 1;
}
int main(void)
{
    signal(SIGUSR1, stop);
    pause();
    if (stopped)
        reach_error();
    return 0;
}
