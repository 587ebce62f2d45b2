// check: --property unreach-call --data-model LP64
// verdict: FALSE(unreach-call)
// The name of a host that is too long fills the buffer and has no end.
#include <unistd.h>
extern void reach_error(void);
int main(void)
{
    char name[8] = "";
    gethostname(name, sizeof name);
    if (name[7] != 0)
        reach_error();
    return 0;
}
