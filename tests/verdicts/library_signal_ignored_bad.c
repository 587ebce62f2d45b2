// check: --property unreach-call --data-model LP64
// verdict: FALSE(unreach-call)
// Under nohup a signal is ignored from the beginning.
#include <signal.h>
extern void reach_error(void);
int main(void)
{
    if (signal(SIGHUP, SIG_DFL) != SIG_DFL)
        reach_error();
    return 0;
}
