// verdict: TRUE
// check: --property unreach-call
// What is written in wide characters changes nothing here.
#include <stdio.h>
#include <wchar.h>
extern void reach_error(void);
int counted;
int main(void)
{
    counted = 3;
    wprintf(L"%ls is %d%%\n", L"all", 100);
    fputws(L"done\n", stdout);
    putwchar(L'.');
    if (counted != 3)
        reach_error();
    return 0;
}
