// check: --property unreach-call --data-model LP64
// verdict: TRUE
#include <fnmatch.h>
extern void reach_error(void);
int main(void)
{
    if (fnmatch("*.c", "main.c", 0) != 0 || fnmatch("*.c", "main.h", 0) != FNM_NOMATCH)
        reach_error();
    if (fnmatch("*", "a/b", FNM_PATHNAME) == 0 || fnmatch("[!a-c]?", "dx", 0) != 0 || fnmatch("*", ".x", FNM_PERIOD) == 0)
        reach_error();
    return 0;
}
