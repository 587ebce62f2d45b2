// check: --property unreach-call --data-model LP64
// verdict: FALSE(unreach-call)
// More is asked for than fits. What arrives may fit all the same, and the execution goes on.
#include <unistd.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    char buf[4];
    int m = __VERIFIER_nondet_int();
    if (read(0, buf, 100) != 2)
        return 0;
    if ((unsigned)m * 2654435761u == 77u)
        reach_error();
    return 0;
}
