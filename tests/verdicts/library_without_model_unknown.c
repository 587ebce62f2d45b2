// verdict: UNKNOWN(unmodelled: `strfmon` means something that is not known here)
// check: --property unreach-call
// It writes to its argument, and has no model.
#include <monetary.h>
extern void reach_error(void);
int main(void)
{
    char name[100] = "";
    strfmon(name, sizeof name, "%n", 1.5);
    if (name[0] != 0)
        reach_error();
    return 0;
}
