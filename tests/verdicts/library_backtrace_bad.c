// check: --property unreach-call --data-model LP64
// verdict: FALSE(unreach-call)
// As many as there are: any number up to the one asked for.
#include <execinfo.h>
extern void reach_error(void);
int main(void)
{
    void *calls[4];
    if (backtrace(calls, 4) != 4)
        reach_error();
    return 0;
}
