// What was asked before the groups were set says nothing about them.
// run: no
#include <grp.h>
#include <stdlib.h>
#include <unistd.h>
int main(void)
{
    int most = getgroups(0, NULL), own = 0;
    gid_t mine[2] = {100, 101}, g[2];
    if (most != 0 || setgroups(2, mine) != 0)
        return 1;
    int n = getgroups(most, g);
    for (int i = 0; i <= n; i++)
        own += g[i] == 100; //~ violated[array-index]
    return own > 7;
}
