// verdict: UNKNOWN(unmodelled: `confstr` means something that is not known here)
// check: --property unreach-call
// It writes to its argument, and has no model.
#include <unistd.h>
extern void reach_error(void);
int main(void)
{
    char name[100] = "";
    confstr(_CS_PATH, name, sizeof name);
    if (name[0] != 0)
        reach_error();
    return 0;
}
