// verdict: FALSE(unreach-call)
// check: --property unreach-call --timeout 20
// A loop with two entries is only run; what a function without a body returns is free there, too.
#include <assert.h>
extern int enter(void);
int main(void)
{
    int i = 99;
    if (enter())
        goto inside;
    i = 0;
    while (i < 10) {
        ;
inside:
        i++;
    }
    assert(i == 10);
    return 0;
}
