// verdict: FALSE(unreach-call)
// check: --property unreach-call
// `%n` stores how much was written.
#include <stdio.h>
#include <wchar.h>
extern void reach_error(void);
int main(void)
{
    int n = 0;
    wprintf(L"four%n", &n);
    if (n == 4)
        reach_error();
    return 0;
}
