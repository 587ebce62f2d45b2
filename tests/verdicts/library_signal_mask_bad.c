// check: --property unreach-call --data-model LP64
// verdict: FALSE(unreach-call)
// What a handler's mask blocks comes when the handler has returned.
#include <signal.h>
extern void reach_error(void);
static int inside;
static void second(int number)
{
    if (!inside)
        reach_error();
}
static void first(int number)
{
    inside = 1;
    raise(SIGUSR2);
    inside = 0;
}
int main(void)
{
    struct sigaction a = {0};
    a.sa_handler = first;
    sigemptyset(&a.sa_mask);
    sigaddset(&a.sa_mask, SIGUSR2);
    sigaction(SIGUSR1, &a, 0);
    signal(SIGUSR2, second);
    raise(SIGUSR1);
    return 0;
}
