// verdict: UNKNOWN(`alarm`: what happens outside may decide whether the program ends)
// check: --property termination
// A signal may end the loop, or never come.
#include <signal.h>
#include <unistd.h>
static volatile sig_atomic_t done;
static void stop(int s)
{
    (void)s;
    done = 1;
}
int main(void)
{
    signal(SIGALRM, stop);
    alarm(1);
    while (!done)
        ;
    return 0;
}
