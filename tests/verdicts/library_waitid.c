// check: --property valid-memsafety
// verdict: TRUE
#include <sys/wait.h>
int main(void)
{
    static int ended[128];
    siginfo_t s;
    if (waitid(P_ALL, 0, &s, WEXITED) == 0 && s.si_code != CLD_EXITED)
        ended[s.si_status] = 1;
    return 0;
}
