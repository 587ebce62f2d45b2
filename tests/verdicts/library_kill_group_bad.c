// check: --property unreach-call --data-model LP64
// verdict: FALSE(unreach-call)
// A signal for a group of processes may be for this one.
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>
extern void reach_error(void);
static void handler(int number)
{
    reach_error();
}
int main(void)
{
    signal(SIGUSR1, handler);
    kill(-getpgrp(), SIGUSR1);
    return 0;
}
